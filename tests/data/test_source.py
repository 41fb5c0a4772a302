from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pyarrow as pa

from twinset.data import read_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_a_path_may_be_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    assert read_sentences(str(tmp_path / "a.txt")) == read_sentences(tmp_path / "a.txt")


def test_limit_holds_for_every_source(tmp_path: Path) -> None:
    many = [f"text {i}" for i in range(20)]
    (tmp_path / "a.csv").write_text("text\n" + "\n".join(many))
    (tmp_path / "a.jsonl").write_text("\n".join(f'{{"text": "{text}"}}' for text in many))
    for source in (many, tmp_path / "a.csv", tmp_path / "a.jsonl"):
        assert list(read_sentences(source, limit=3).texts) == many[:3]


def test_nothing_past_the_limit_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('text\none\ntwo\n"never closed\n')
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\n{"text": "two"}\n{"text": \n')

    def endless() -> Iterator[str]:
        yield from ("one", "two")
        raise AssertionError("asked for a third")

    for source in (tmp_path / "a.csv", tmp_path / "a.jsonl", endless()):
        assert list(read_sentences(source, limit=2).texts) == ["one", "two"]


def test_limit_counts_the_rows_that_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,split\na,dev\nb,test\nc,test\n")
    table = pa.table({"text": ["a", "b", "c"], "split": ["dev", "test", "test"]})
    for source in (tmp_path / "a.csv", table):
        assert list(read_sentences(source, where={"split": "test"}, limit=1).texts) == ["b"]


def test_reading_needs_no_heavy_library() -> None:
    heavy = "{'torch', 'transformers', 'datasets', 'scipy'}"
    code = (
        f"import sys, twinset.data as d; d.read_sentences(['a']); print(sorted({heavy} & sys.modules.keys()))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
