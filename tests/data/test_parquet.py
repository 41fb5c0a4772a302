from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from twinset.data import read_sentences
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    texts = [f"sentence {i}" for i in range(1000)]
    pq.write_table(pa.table({"n": range(1000), "text": texts}), tmp_path / "a.parquet", row_group_size=100)
    return tmp_path / "a.parquet"


def test_reads_the_column_and_no_more_rows_than_asked(path: Path) -> None:
    assert read_sentences(path).texts[999] == "sentence 999"
    assert list(read_sentences(path, limit=150).texts) == [f"sentence {i}" for i in range(150)]


def test_row_groups_past_the_limit_are_not_read(path: Path) -> None:
    with pq.ParquetFile(path) as file:
        column = file.metadata.row_group(5).column(1)
        start, size = column.dictionary_page_offset or column.data_page_offset, column.total_compressed_size
    content = path.read_bytes()
    path.write_bytes(content[:start] + b"\0" * size + content[start + size :])
    with pytest.raises(DataError, match="cannot be read as parquet"):
        read_sentences(path)
    assert list(read_sentences(path, limit=150).texts) == [f"sentence {i}" for i in range(150)]


def test_packed(path: Path) -> None:
    packed = path.with_name("b.parquet.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_sentences(packed) == read_sentences(path)


def test_cut_short_or_something_else(path: Path) -> None:
    content = path.read_bytes()
    for broken in (
        content[: len(content) // 2],
        b"text\nhello\n",
        content[:2000] + b"\0" * 500 + content[2500:],
    ):
        path.write_bytes(broken)
        with pytest.raises(
            DataError, match=r"a.parquet: cannot be read as parquet .*fetch or write it again"
        ):
            read_sentences(path)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array(["a", None]), r"row 2: 'text' is missing \(null\)"),
        (pa.array(["a", "b\0"]), "row 2: 'text' holds a NUL byte"),
        (pa.array([1, 2]), "column 'text' holds int64, not texts"),
        (pa.array([["a"], ["b"]]), "column 'text' holds list"),
    ],
)
def test_values_that_are_no_texts(tmp_path: Path, column: pa.Array, message: str) -> None:
    pq.write_table(pa.table({"text": column}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=f"a.parquet.*{message}"):
        read_sentences(tmp_path / "a.parquet")
