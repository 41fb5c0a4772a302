from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.cli.command import twinset
from twinset.encoder import Encoder, Engine

if TYPE_CHECKING:
    import pytest


def test_a_file_of_lines(texts: Path, tiny_folder: Path, tmp_path: Path) -> None:
    texts.write_text("a cat\n\na dog\r\n", encoding="utf-8")
    out = tmp_path / "out.npy"
    result = twinset("encode", tiny_folder, texts, "-o", out, "--json")
    assert json.loads(result.out)["rows"] == 3
    expected = Encoder.from_pretrained(tiny_folder).encode(["a cat", "", "a dog"])
    np.testing.assert_allclose(np.load(out), expected, atol=1e-6)


def test_stdin(tiny_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.npy"
    assert twinset("encode", tiny_folder, "-o", out, stdin="a cat\nein Hund 🐕\n".encode()).code == 0
    expected = Encoder.from_pretrained(tiny_folder).encode(["a cat", "ein Hund 🐕"])
    np.testing.assert_allclose(np.load(out), expected, atol=1e-6)


def test_a_column_and_settings(tiny_folder: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "data.csv", tmp_path / "out.npy"
    source.write_text("id,body\n1,a cat\n2,\n3,a dog\n", encoding="utf-8")
    result = twinset(
        "encode", tiny_folder, source, "--column", "body", "-o", out, "--normalize", "--max-length", "4"
    )
    assert result.code == 0
    assert "1" in result.err, "the row that was left out is told"
    vectors = np.load(out)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    short = Encoder.from_pretrained(tiny_folder, max_length=4)
    np.testing.assert_allclose(vectors, short.encode(["a cat", "a dog"], normalize=True), atol=1e-6)


def test_broken_stdin_leaves_nothing(tiny_folder: Path, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    result = twinset("encode", tiny_folder, "-o", tmp_path / "out.npy", stdin=b"a cat\n\xff\xfe\n")
    assert (result.code, "stdin, line 2: byte 1 is not UTF-8" in result.err) == (2, True)
    assert set(tmp_path.iterdir()) == before


def test_fewer_bytes(texts: Path, tiny_folder: Path, tmp_path: Path) -> None:
    texts.write_text("a cat\na dog\n", encoding="utf-8")
    encoder = Encoder.from_pretrained(tiny_folder)
    for output in ("int8", "binary"):
        out = tmp_path / f"{output}.npy"
        result = twinset("encode", tiny_folder, texts, "-o", out, "--output", output, "--json")
        assert json.loads(result.out)["output"] == output
        np.testing.assert_array_equal(np.load(out), encoder.encode(["a cat", "a dog"], output=output))


def test_the_engine_s_settings_are_handed_on(
    texts: Path, tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Engine] = []

    def noted(_encoder: Encoder, *_: object, engine: Engine, **__: Any) -> int:  # noqa: ANN401
        given.append(engine)
        return 0

    monkeypatch.setattr(Encoder, "encode_file", noted)
    settings = ("--processes", "3", "--batch-tokens", "77")
    assert twinset("encode", tiny_folder, texts, "-o", tmp_path / "out.npy", *settings).code == 0
    assert given == [Engine(processes=3, batch_tokens=77)]
