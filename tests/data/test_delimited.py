from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from twinset.data import read_pairs, read_scored_pairs, read_sentences
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_quotes_line_breaks_mark_and_crlf(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", '\ufeffsentence1,sentence2\r\n"a, ""b""","two\r\nlines"\r\nc,d\r\n')
    data = read_pairs(path)
    assert list(data.first) == ['a, "b"', "c"]
    assert list(data.second) == ["two\r\nlines", "d"]
    assert data.notes == (f"{path}: 1 rows run over several lines (quoted line breaks)",)


def test_very_large_fields(tmp_path: Path) -> None:
    large = "x" * 300_000
    before = csv.field_size_limit()
    assert read_sentences(write(tmp_path / "a.csv", f"text\n{large}\n")).texts[0] == large
    assert csv.field_size_limit() == before


def test_columns_named_by_the_user_and_groups(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,title,body,topic\n1,t1,b1,x\n2,t2,b2,y\n")
    data = read_pairs(path, columns=("title", "body"), groups="topic", roles=("query", "document"))
    assert list(data.columns[0]) == ["t1", "t2"]
    assert list(data.groups) == ["x", "y"]
    assert data.roles == ("query", "document")


def test_a_file_without_a_header_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "4.5\ta\tb\n1\tc\td\n")
    data = read_scored_pairs(path, columns=(1, 2, 0))
    assert list(data.first) == ["a", "c"]
    assert data.scores.tolist() == [4.5, 1.0]
    with pytest.raises(DataError, match="no names that say which are the pairs; give their positions"):
        read_pairs(path)


def test_one_column_without_a_header_line_is_noted(tmp_path: Path) -> None:
    data = read_sentences(write(tmp_path / "a.csv", "Comments\ngood\n"))
    assert list(data.texts) == ["Comments", "good"]
    assert "no header line was recognised; the first line is read as data ('Comments')" in data.notes[0]
    assert list(read_sentences(tmp_path / "a.csv", columns="Comments").texts) == ["good"]


def test_semicolons(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "sentence1;sentence2;score\na,b;c;1.5\n")
    data = read_scored_pairs(path)
    assert (data.first[0], data.second[0], data.scores[0]) == ("a,b", "c", 1.5)


def test_a_semicolon_in_a_text_splits_nothing(tmp_path: Path) -> None:
    data = read_pairs(write(tmp_path / "a.csv", "one; two,three\nfour,five\n"), columns=(0, 1))
    assert (list(data.first), list(data.second)) == (["one; two", "four"], ["three", "five"])


def test_tsv_with_plain_quotes_is_read_as_it_is_meant(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", 'sentence1\tsentence2\n"Yes" he said\tan 8" disk\n"open\tb\n')
    data = read_pairs(path)
    assert list(data.first) == ['"Yes" he said', '"open']
    assert list(data.second) == ['an 8" disk', "b"]
    assert data.notes == (f"{path}: quotes are read as plain characters",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sentence1,sentence2\na,b\nc,d, e\n",
            r"line 3: 3 fields where the header names 2 \(sentence1, sentence2\)",
        ),
        ("sentence1,sentence2\na,b\nc\n", "line 3: 1 fields where the header names 2"),
        ('sentence1,sentence2\n"x\ny",b\nc,"d\n', "line 4: quotes are not closed"),
        ('sentence1,sentence2\n"a" b,c\n', "line 2: quotes are not closed or not doubled"),
        ("\n\n", "only blank lines"),
        ("sentence1,sentence2\n", "no row with a text"),
        ("sentence1,sentence2\na,b\0c\n", "line 2: 'sentence2' holds a NUL byte"),
    ],
)
def test_broken_files_are_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=f"a.csv.*{message}"):
        read_pairs(write(tmp_path / "a.csv", text))


def test_a_ragged_tsv_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 2: 3 fields where the header names 2"):
        read_pairs(write(tmp_path / "a.tsv", "sentence1\tsentence2\na\tb\tc\n"))


def test_lines_are_counted_through_quoted_breaks_and_blanks(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'sentence1,sentence2,score\n"a\n\nb",c,1\n\nd,e,high\n')
    with pytest.raises(DataError, match=r"a.csv, line 6: 'score' is 'high', not a number"):
        read_scored_pairs(path)


def test_a_row_over_several_lines_is_named_by_its_first(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'sentence1,sentence2,score\na,b,1\n"c\n\nd",e,high\n')
    with pytest.raises(DataError, match=r"a.csv, line 3: 'score' is 'high', not a number"):
        read_scored_pairs(path)


def test_empty_texts_and_blank_lines_are_both_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "sentence1,sentence2\na,b\n\n,c\n")
    assert read_pairs(path).notes == (
        f"{path}: 1 blank lines left out (the first: line 3)",
        f"{path}: 1 lines with an empty text left out (the first: line 4)",
    )
