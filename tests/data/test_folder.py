from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from twinset.data import Folder, LabelledPairs, Pairs, RankedLists, ScoredPairs, Sentences, Triples
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    pairs = {
        "sentence1": ["a", "b", "c"],
        "sentence2": ["d", "e", "f"],
        "score": [1.0, 2.0, 3.0],
        "label": [0, 1, 1],
        "split": ["train", "validation", "test"],
        "subset": ["x", "y", "x"],
    }
    tables = {
        "sts_en/stsb": pairs,
        "nli/triples": {"anchor": ["a"], "positive": ["b"], "negative": ["c"]},
        "text/wiki": {"text": ["one", "two", "three"]},
        "topics": {"text": ["one", "two"], "label": ["p", "q"]},
        "search/small/queries": {"qid": ["q"], "text": ["what"]},
        "search/small/corpus": {"docid": ["d", "e"], "text": ["this", "that"]},
        "search/small/qrels": {"qid": ["q"], "docid": ["e"], "relevance": [1]},
    }
    for name, table in tables.items():
        path = tmp_path / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(table), path)
    (tmp_path / "README.md").write_text("about")
    (tmp_path / "lines.txt").write_text("a\nb\n")
    (tmp_path / ".lines.txt").write_text("left by an editor\n")
    return Folder(tmp_path)


def test_lists_what_is_there(folder: Folder) -> None:
    assert folder.names() == (
        "lines", "nli/triples", "search/small/corpus", "search/small/qrels", "search/small/queries",
        "sts_en/stsb", "text/wiki", "topics",
    )  # fmt: skip
    assert "sts_en/stsb" in folder
    assert "README" not in folder


def test_reads_every_kind(folder: Folder) -> None:
    assert folder.sentences("text/wiki", limit=2) == Sentences(["one", "two"])
    assert folder.sentences("lines.txt") == Sentences(["a", "b"])
    assert folder.triples("nli/triples") == Triples(["a"], ["b"], ["c"])
    scored = folder.scored_pairs("sts_en/stsb")
    assert isinstance(scored, ScoredPairs)
    assert list(scored.groups) == ["x", "y", "x"]
    assert isinstance(folder.labelled_pairs("sts_en/stsb", split="test"), LabelledPairs)
    assert isinstance(folder.pairs("sts_en/stsb", subset="x"), Pairs)
    assert folder.labelled_sentences("topics").label_names == ("p", "q")
    lists = folder.ranked_lists("sts_en/stsb")
    assert isinstance(lists, RankedLists)
    assert lists.relevance.tolist() == [0, 1, 1]


def test_splits_and_subsets_keep_their_rows(folder: Folder) -> None:
    assert list(folder.scored_pairs("sts_en/stsb", split="test").first) == ["c"]
    assert list(folder.scored_pairs("sts_en/stsb", split="dev").first) == ["b"]  # here called validation
    assert list(folder.pairs("sts_en/stsb", subset="x").first) == ["a", "c"]


def test_a_search_collection(folder: Folder) -> None:
    data = folder.collection("search/small")
    assert (list(data.queries), list(data.documents)) == (["what"], ["this", "that"])
    assert data.relevant().second[0] == "that"


def test_what_is_missing_is_refused_with_what_is_there(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"no data set 'sts_en/stbs'. Did you mean 'sts_en/stsb'\? There are: lines, nli"
    ):
        folder.scored_pairs("sts_en/stbs")
    with pytest.raises(DataError, match=r"Did you mean 'sts_en/stsb'\?"):
        folder.scored_pairs("stsb")
    with pytest.raises(
        DataError, match="no row has 'split' = tset; it takes the values 'train', 'validation', 'test'"
    ):
        folder.scored_pairs("sts_en/stsb", split="tset")
    with pytest.raises(DataError, match=r"wiki.parquet: no column 'split'; it has 'text'"):
        folder.sentences("text/wiki", split="train")
    with pytest.raises(DataError, match="no such folder"):
        Folder(tmp_path / "nowhere")
    with pytest.raises(DataError, match="is a file"):
        Folder(tmp_path / "lines.txt")


@pytest.mark.slow
def test_published_counts_of_the_real_sets(data_root: Path) -> None:
    real = Folder(data_root)
    counts = {split: len(real.scored_pairs("sts_en/stsb", split=split)) for split in ("train", "dev", "test")}
    assert counts == {"train": 5749, "dev": 1500, "test": 1379}
    assert len(real.scored_pairs("sts_en/sick", split="test")) == 4927
    totals = {
        name: len(real.scored_pairs(f"sts_en/{name}"))
        for name in ("sts12", "sts13", "sts14", "sts15", "sts16")
    }
    assert totals == {"sts12": 3108, "sts13": 1500, "sts14": 3750, "sts15": 3000, "sts16": 1186}
