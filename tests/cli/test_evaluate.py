from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.command import twinset
from twinset.data import read_scored_pairs
from twinset.encoder import POOLINGS, Encoder
from twinset.evaluation import Sts, read_scores


def test_own_pairs(scored: Path, tiny_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.json"
    result = twinset("evaluate", tiny_folder, "--file", scored, "--out", out, "--json")
    assert result.code == 0
    expected = Sts(read_scored_pairs(scored))(Encoder.from_pretrained(tiny_folder))["spearman"]
    told = json.loads(result.out)
    assert told["headline"]["value"] == pytest.approx(expected)
    assert "items" not in told
    assert len(read_scores(out).task("pairs")) == 3


def test_a_suite_and_a_table(tmp_path: Path, tiny_folder: Path) -> None:
    (tmp_path / "sts_en").mkdir()
    columns = {"sentence1": ["a cat", "b", "c"], "sentence2": ["a dog", "e", "f"], "score": [1.0, 2.0, 0.0]}
    pq.write_table(pa.table({**columns, "split": ["dev"] * 3}), tmp_path / "sts_en" / "stsb.parquet")
    result = twinset("evaluate", tiny_folder, "--suite", "stsb-dev", "--data", tmp_path, "--subsets")
    assert result.code == 0
    assert "STS-B dev" in result.out
    assert "wmean" in result.out
    assert "subset" in result.out


def _rows(path: Path, header: str, *rows: str) -> Path:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_own_labelled_pairs(tmp_path: Path, tiny_folder: Path) -> None:
    rows = ["a cat,a cat,1,test", "a dog,rain,0,test", "a cat,a cat,1,dev", "the mat,rain,0,dev"]
    path = _rows(tmp_path / "own.csv", "sentence1,sentence2,label,split", *rows)
    command = ("evaluate", tiny_folder, "--file", path, "--task", "pairs", "--split", "test")
    alone = json.loads(twinset(*command, "--json").out)
    assert (alone["kind"], alone["headline"]["metric"]) == ("pairs", "average_precision")
    out = tmp_path / "scores.json"
    told = json.loads(twinset(*command, "--dev", path, "--dev-split", "dev", "--json", "--out", out).out)
    assert told["headline"] == {"pooling": "mean", "metric": "f1", "value": 1.0}
    assert told["poolings"]["mean"]["tasks"]["own"]["pairs"] == 2
    assert len(read_scores(out).task("own")) == 2


def test_own_rankings(tmp_path: Path, tiny_folder: Path) -> None:
    rows = ["a cat,a cat,1", "a cat,rain,0", "a dog,a dog,2", "a dog,the mat,0"]
    path = _rows(tmp_path / "own.csv", "query,document,relevance", *rows)
    result = twinset("evaluate", tiny_folder, "--file", path, "--task", "ranking", "--metric", "mrr@1")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].endswith("the headline is mrr@1")
    assert lines[1].split()[:4] == ["pooling", "task", "queries", "mrr@1"]
    assert lines[2].split()[:4] == ["mean", "own", "2", "100.00"]


def test_own_searches(tmp_path: Path, tiny_folder: Path) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "a cat"}\n')
    (folder / "corpus.jsonl").write_text('{"_id": "d", "text": "a cat"}\n{"_id": "e", "text": "rain"}\n')
    _rows(folder / "qrels" / "dev.tsv", "query-id\tcorpus-id\tscore", "q\td\t1")
    command = ("evaluate", tiny_folder, "--file", folder, "--task", "retrieval", "--split", "dev", "--json")
    told = json.loads(twinset(*command).out)
    assert told["headline"] == {"pooling": "mean", "metric": "ndcg@10", "value": 1.0}
    assert list(told["poolings"]["mean"]["tasks"]) == ["beir"]


def test_a_suite_of_another_kind(tmp_path: Path, tiny_folder: Path) -> None:
    (tmp_path / "pairs_en").mkdir()
    columns = {"sentence1": ["a", "b"] * 2, "sentence2": ["a", "c"] * 2, "label": [1, 0] * 2}
    splits = ["dev", "dev", "test", "test"]
    pq.write_table(pa.table({**columns, "split": splits}), tmp_path / "pairs_en" / "mrpc.parquet")
    result = twinset("evaluate", tiny_folder, "--suite", "pairs", "--data", tmp_path)
    assert result.code == 0
    assert "MRPC" in result.out
    assert "average_precision" in result.out


def test_poolings(scored: Path, tiny_folder: Path) -> None:
    def poolings(*names: str) -> list[str]:
        options = [part for name in names for part in ("--pooling", name)]
        return list(
            json.loads(twinset("evaluate", tiny_folder, "--file", scored, "--json", *options).out)["poolings"]
        )

    assert poolings() == ["mean"]
    assert set(poolings("cls", "max")) == {"cls", "max"}
    assert set(poolings("all")) == set(POOLINGS)
    assert poolings("max", "all")[0] == "max"
