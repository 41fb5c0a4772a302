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
