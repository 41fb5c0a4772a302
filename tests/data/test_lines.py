from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from twinset.data import read_pairs, read_sentences
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


def test_one_text_a_line_whatever_the_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("one\r\ntwo\u2028still two\nthree\x0bstill three".encode())
    assert list(read_sentences(path).texts) == ["one", "two\u2028still two", "three\x0bstill three"]


def test_blank_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "sentences.txt"
    path.write_text("one\n\n  \ntwo\n\t\n")
    data = read_sentences(path)
    assert list(data.texts) == ["one", "two"]
    assert data.notes == (f"{path}: 3 blank lines left out (the first: line 2)",)


def test_limit_stops_early(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo\n" + b"x\n" * 100_000 + b"\xff\n")
    assert list(read_sentences(path, limit=2).texts) == ["one", "two"]


def test_nothing_but_blank_lines_and_no_pairs(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n\n")
    with pytest.raises(DataError, match=r"no row with a text in it; .*2 blank lines"):
        read_sentences(path)
    with pytest.raises(DataError, match="no columns of texts for pairs among 'text'"):
        read_pairs(path)
