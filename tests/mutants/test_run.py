from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.run import LISTS, ROOT, Mutant, mutants

RUNNER = Path(__file__).with_name("run.py")
EXAMPLE = Mutant(
    name="example",
    file="objectives/similarity.py",
    old="anchors[:, None] ==",
    new="anchors[:, None] !=",
    test="tests/objectives/test_similarity.py::test_same_text_compares_every_anchor_with_every_candidate",
)


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_every_mutant_of_the_lists_can_be_tried(mutant: Mutant) -> None:
    assert mutant.fault() is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"file": "objectives/none.py"}, "there is no src/twinset/objectives/none.py"),
        ({"old": "no such text"}, "its old text stands 0 times in objectives/similarity.py, not once"),
        ({"old": "normalize("}, "its old text stands 2 times in objectives/similarity.py, not once"),
        ({"test": "tests/none.py::test"}, "there is no tests/none.py"),
        ({"new": EXAMPLE.old}, "old and new are the same"),
    ],
)
def test_a_mutant_that_cannot_be_tried_says_why(change: dict[str, str], fault: str) -> None:
    assert EXAMPLE.fault() is None
    assert replace(EXAMPLE, **change).fault() == fault


def test_a_survivor_and_a_test_that_is_not_there_are_no_success(tmp_path: Path) -> None:
    survivor = replace(EXAMPLE, name="survivor", new="anchors[:, None]  ==")
    caught = replace(EXAMPLE, name="noticed")
    found = run(tmp_path, survivor, caught)
    assert found.returncode == 1
    assert "SURVIVED" in found.stdout
    assert "1 of 2 mutants caught.\nNot caught: survivor" in found.stdout
    missing = run(tmp_path, replace(EXAMPLE, test=EXAMPLE.test + "_not"))
    assert missing.returncode == 1
    assert "must pass before anything is broken" in missing.stdout


def test_two_of_one_name_are_refused(tmp_path: Path) -> None:
    found = run(tmp_path, EXAMPLE, EXAMPLE)
    assert found.returncode == 1
    assert "two mutants are called example" in found.stderr


def test_two_of_one_name_in_two_lists_are_refused(tmp_path: Path) -> None:
    one, other = (written(tmp_path / name, EXAMPLE) for name in ("one.toml", "other.toml"))
    with pytest.raises(SystemExit, match=r"one\.toml, other\.toml: two mutants are called example"):
        mutants(lists=(one, other))
    second = written(tmp_path / "other.toml", replace(EXAMPLE, name="second"))
    assert [mutant.name for mutant in mutants(lists=(one, second))] == ["example", "second"]


def test_words_choose() -> None:
    chosen = mutants(["queue.py"])
    assert chosen
    assert {mutant.file for mutant in chosen} == {"negatives/queue.py"}
    with pytest.raises(SystemExit, match=r"mutants\.toml.*: no mutant has nonesuch"):
        mutants(["nonesuch"])


def test_every_list_beside_the_runner_is_read() -> None:
    assert {path.stem for path in LISTS} >= {"data", "encoder", "evaluation", "mutants"}
    assert len(mutants()) == sum(len(mutants(lists=(path,))) for path in LISTS)


@pytest.mark.parametrize("room", ["baselines", "data", "encoder", "evaluation", "evidence"])
def test_every_file_of_these_rooms_has_a_mutant(room: str) -> None:
    source = ROOT / "src" / "twinset"
    files = {path.relative_to(source).as_posix() for path in (source / room).rglob("*.py")}
    without = files - {mutant.file for mutant in mutants()}
    assert {name for name in without if not name.endswith("__init__.py")} <= {"data/arrow.py"}


def run(folder: Path, *tried: Mutant) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUNNER), "--list", str(written(folder / "list.toml", *tried))]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def written(path: Path, *tried: Mutant) -> Path:
    lines = [
        "[[mutant]]\n" + "".join(f"{name} = '{value}'\n" for name, value in vars(mutant).items())
        for mutant in tried
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
