from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from twinset.data import Pairs, ScoredPairs, Sentences, read_any, sniff
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("anchor,positive,negative", "triples"),
        ("anchor,positive", "pairs"),
        ("query,document,relevance", "ranked lists"),
        ("sentence1,sentence2,score,label", "scored pairs"),
        ("sentence1,sentence2,label", "labelled pairs"),
        ("id,sentence1,sentence2", "pairs"),
        ("text,label", "labelled sentences"),
        ("id,text", "sentences"),
        ("title,body", "pairs"),
        ("Comments", "sentences"),
    ],
)
def test_kinds_by_their_columns(tmp_path: Path, header: str, kind: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(header + "\n" + ",".join("1" for _ in header.split(",")) + "\n")
    assert sniff(path) == kind
    assert sniff([dict.fromkeys(header.split(","), "1")]) == kind


def test_reads_what_it_finds(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    assert read_any(tmp_path / "a.txt", limit=1) == Sentences(["one"])
    assert read_any([{"sentence1": "a", "sentence2": "b"}]) == Pairs(["a"], ["b"])
    (tmp_path / "b.csv").write_text("sentence1;sentence2;score\na;b;1\n")
    assert read_any(tmp_path / "b.csv") == ScoredPairs(["a"], ["b"], [1.0])


def test_what_cannot_be_told_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("left,right\na,b\n")
    with pytest.raises(DataError, match="say of no kind"):
        sniff(tmp_path / "a.csv")
    with pytest.raises(DataError, match="iterator can be read only once"):
        sniff(iter(["a"]))
