from __future__ import annotations

import gzip
import logging
from pathlib import Path

import numpy as np
import pytest

from twinset.baselines import WordAverage, WordVectors, read_word_vectors
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError

LINES = "the 1 0.5 -2\nCat 0 1e-1 3\ncat 7 8 9\ndog 4 4 4\n"


def _file(folder: Path, text: str, name: str = "words.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def _words(vectors: WordVectors) -> list[str]:
    return list(vectors._rows)


def test_glove_and_word2vec_are_read_alike(tmp_path: Path) -> None:
    glove = read_word_vectors(_file(tmp_path, LINES))
    word2vec = read_word_vectors(_file(tmp_path, "4 3\n" + LINES.replace("\n", " \n"), "words.vec"))
    for found in (glove, word2vec):
        assert len(found) == 4
        assert found.dimension == 3
        np.testing.assert_allclose(found.vectors(["Cat", "the"]), [[0, 0.1, 3], [1, 0.5, -2]])
    assert glove.name == "words of words.txt"


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "words.txt.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    assert len(read_word_vectors(path)) == 4


def test_only_what_the_texts_need_is_kept(tmp_path: Path) -> None:
    found = read_word_vectors(_file(tmp_path, LINES), texts=["The dog!", "CAT"])
    assert _words(found) == ["the", "cat", "dog"]


def test_a_longer_word_is_not_taken_for_the_one_it_begins_with(tmp_path: Path) -> None:
    found = read_word_vectors(_file(tmp_path, "of 1 2\nat name@host 3 4\nat 5 6\n"), texts=["at"])
    assert found.vectors(["at"]).tolist() == [[5, 6]]
    assert len(found) == 1


def test_unneeded_lines_are_looked_at_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        read_word_vectors(_file(tmp_path, LINES + "snow 1 2\n"), texts=["the dog"])
    assert "the first is line 5" in caplog.text


def test_the_first_words_only(tmp_path: Path) -> None:
    assert _words(read_word_vectors(_file(tmp_path, "4 3\n" + LINES), first=2)) == ["the", "Cat"]
    with pytest.raises(RequestError, match="first: 0 is not above 0"):
        read_word_vectors(_file(tmp_path, LINES), first=0)


def test_words_are_looked_up_as_they_stand_then_in_lower_case(tmp_path: Path) -> None:
    found = read_word_vectors(_file(tmp_path, LINES)).split(Texts(["Cat CAT cat, Dog's the_cat", ""]))
    assert [list(words) for words in found.words] == [["Cat", "cat", "cat", "dog"], []]
    assert found.unknown == 2  # s and the_cat


def test_of_a_word_that_comes_twice_the_first_counts(tmp_path: Path) -> None:
    found = read_word_vectors(_file(tmp_path, "a 1 2\nb 3 4\na 5 6\n"))
    assert found.vectors(["a", "b"]).tolist() == [[1, 2], [3, 4]]


def test_a_word_may_have_spaces_and_line_breaks_of_unicode(tmp_path: Path) -> None:
    found = read_word_vectors(_file(tmp_path, "a 1 2\n. . . 3 4\nx\u2028y 5 6\n\n"))
    assert _words(found) == ["a", ". . .", "x\u2028y"]
    assert len(found) == 3


@pytest.mark.parametrize("line", ["cat 1 2", "cat 1 2 x", "cat 1 2 nan", "1 2 3"])
def test_malformed_lines_are_left_out_and_told(
    tmp_path: Path, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        found = read_word_vectors(_file(tmp_path, f"the 1 2 3\n{line}\ndog 1 2 3\n{line}\nrain 1 2 3\n"))
    assert _words(found) == ["the", "dog", "rain"]
    assert "words.txt: 2 line(s) are no word with its numbers" in caplog.text
    assert "the first is line 2" in caplog.text


def test_bytes_that_are_no_text_are_a_malformed_line(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"the 1 2\n\xff\xfe 1 2\ndog 3 4\n")
    assert _words(read_word_vectors(path)) == ["the", "dog"]


@pytest.mark.parametrize("text", ["a text like any other\nand another\n", "\n", "4 3\na 1 2\n", "word\n"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"words\.txt.*: a word and its numbers a line"):
        read_word_vectors(_file(tmp_path, text))


def test_a_file_without_any_of_the_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has a vector for none of the texts' words"):
        read_word_vectors(_file(tmp_path, LINES), texts=["snow"])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_word_vectors(tmp_path / "none.txt")


def test_averaged_words_of_a_file(tmp_path: Path) -> None:
    system = WordAverage(read_word_vectors(_file(tmp_path, LINES)))
    np.testing.assert_allclose(system.encode(["the dog"]), [[2.5, 2.25, 1]])
