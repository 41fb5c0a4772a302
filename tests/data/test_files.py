from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from twinset.data import read_sentences
from twinset.data.files import BLOCK, file_kind
from twinset.errors import DataError, RequestError

if TYPE_CHECKING:
    from pathlib import Path


def test_suffixes_with_and_without_gz(tmp_path: Path) -> None:
    assert file_kind(tmp_path / "a.b.CSV.gz") == ".csv"
    for name, message in [
        ("a.docx", "'.docx' says nothing known"),
        ("a", "no suffix"),
        ("a.json", "call it .jsonl"),
    ]:
        (tmp_path / name).write_text("x")
        with pytest.raises(DataError, match=message):
            read_sentences(tmp_path / name)


def test_a_missing_file_suggests_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "tickets.csv").write_text("text\na\n")
    with pytest.raises(DataError, match=r"tikets.csv: no such file; did you mean tickets.csv\?"):
        read_sentences(tmp_path / "tikets.csv")
    with pytest.raises(DataError, match=r"holds tickets.csv"):
        read_sentences(tmp_path / "zzz.parquet")
    with pytest.raises(DataError, match=r"there is no folder .*nowhere either"):
        read_sentences(tmp_path / "nowhere" / "a.txt")


def test_a_folder_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(DataError, match=r"is a folder; name a file in it \(a.txt\)"):
        read_sentences(tmp_path)
    with pytest.raises(DataError, match=r"a.txt: the file is empty \(0 bytes\)"):
        read_sentences(tmp_path / "a.txt")


@pytest.mark.parametrize("before", [0, BLOCK - 3, BLOCK + 40])  # the last: a character over two blocks
def test_a_byte_that_is_no_text_is_found(tmp_path: Path, before: int) -> None:
    path = tmp_path / "a.txt"
    good = ("\u00e4" * 7 + "\n").encode()
    head = good * (before // len(good))
    path.write_bytes(head + b"caf\xe9 au lait\n")
    line, byte = head.count(b"\n") + 1, f"{len(head) + 3:,}"
    with pytest.raises(
        DataError, match=f"a.txt, line {line}, byte {byte}: 0xe9 is not utf-8; say encoding='cp1252'"
    ):
        read_sentences(path)
    assert read_sentences(path, encoding="cp1252").texts[-1] == "caf\u00e9 au lait"


def test_utf16_is_recognised_and_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\u4f60\u597d\nworld\n".encode("utf-16"))
    with pytest.raises(DataError, match="say encoding='utf-16'"):
        read_sentences(path)
    assert list(read_sentences(path, encoding="utf-16").texts) == ["\u4f60\u597d", "world"]


def test_a_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbffirst\n")
    assert list(read_sentences(path).texts) == ["first"]


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(RequestError, match="encoding='utf-9' is not known"):
        read_sentences(tmp_path / "a.txt", encoding="utf-9")


def test_gz_cut_short_or_not_gz_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    packed = gzip.compress(b"".join(b"sentence %d\n" % i for i in range(5000)))
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError, match=r"a.txt.gz: the gzip data ends too soon"):
        read_sentences(path)
    path.write_bytes(b"plain text\n")
    with pytest.raises(DataError, match="not sound gzip data"):
        read_sentences(path)
    broken = bytearray(packed)
    broken[len(packed) // 2] ^= 0xFF
    path.write_bytes(bytes(broken))
    with pytest.raises(DataError, match=r"a.txt.gz"):
        read_sentences(path)
