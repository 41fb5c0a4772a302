from __future__ import annotations

from pathlib import Path

import pytest

from twinset.errors import RecipeError
from twinset.recipes import parse_recipe, parse_run_file, read_run_file

MINIMAL = '[data]\ntrain = "a.txt"\n'


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINIMAL.replace("\n", "\r\n").encode())
    run = read_run_file(path, ["seed=7", "recipe.objective.kind=nt_xent"])
    assert (run.data.train, run.seed) == ("a.txt", 7)
    assert type(run.recipe.objective).__name__ == "NTXent"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"seed = \n", "run.toml, line 1, column 8: is not TOML: Invalid value"),
        (b"a = 1\na = 2\n", "run.toml, line 2, column 6: is not TOML: Cannot overwrite a value"),
        (b"[data", "is not TOML: Expected"),
        (b"seed = 1\n\xff\xfe", "run.toml, line 2: is not UTF-8 text"),
        (b"\x00\x01", "is not TOML"),
        (b"seed = " + b"9" * 5000, "is not TOML that can be read"),
        (b"", "data: missing; it must be given"),
        (b"x = " + b"[" * 3000 + b"]" * 3000, "nested too deeply"),
    ],
)
def test_what_is_no_run_file_is_told(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "run.toml"
    path.write_bytes(content)
    with pytest.raises(RecipeError) as caught:
        read_run_file(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="no such file; twinset init writes"):
        read_run_file(tmp_path / "no.toml")
    with pytest.raises(RecipeError, match="is a folder"):
        read_run_file(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed = -1\n" + MINIMAL, "seed: -1 is below 0"),
        (MINIMAL + "limit = 1", "data.limit: 1 is below 2"),
        ('[data]\nkind = "sentence"', "data.train: missing; it must be given: a text in quotes"),
        ("data = 3", "data: 3 is not a table"),
        ('[data]\ntrain = "a\\u0000b"', "data.train: 'a\\x00b' holds a NUL character"),
    ],
)
def test_fields_of_the_file_itself(text: str, message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_run_file(text)
    assert message in str(caught.value)


def test_a_recipe_alone_takes_nothing_else() -> None:
    assert parse_recipe("[recipe]\nbatch_size = 8\n").batch_size == 8
    with pytest.raises(RecipeError, match="seed: no such field"):
        parse_recipe("seed = 1")
