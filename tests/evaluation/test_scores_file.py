from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.known_vectors import TOY, KnownPoolings, pairs
from twinset.errors import DataError, WorkError
from twinset.evaluation import StsTask, Suite, SuiteScores, evaluate, read_scores, write_scores


@pytest.fixture
def scores() -> SuiteScores:
    flat = StsTask(name="flat", pairs=pairs((5, 10, 80), (1, 1, 1)))
    toy = StsTask(name="toy", pairs=TOY, one_set=True)
    return evaluate(KnownPoolings(), Suite(name="toys", tasks=(toy, flat)), poolings=("mean", "cls"))


def test_what_is_read_is_what_was_written(scores: SuiteScores, tmp_path: Path) -> None:
    path = tmp_path / "new" / "scores.json"
    write_scores(scores, path)
    again = read_scores(path)
    assert again.to_json() == scores.to_json()
    assert again.table() == scores.table()
    np.testing.assert_array_equal(
        again.task("toy", "cls").pairs.predicted, scores.task("toy", "cls").pairs.predicted
    )
    assert [entry.name for entry in path.parent.iterdir()] == ["scores.json"]


def test_scores_come_from_the_items_and_not_from_the_summary(scores: SuiteScores, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    record: Any = scores.to_json()
    record["poolings"]["mean"]["tasks"]["toy"]["spearman"]["all"] = 0.99
    path.write_text(json.dumps(record))
    assert read_scores(path).to_json() == scores.to_json()


def _cut(record: dict[str, Any]) -> None:
    record["items"]["toy"]["gold"].pop()


def _word(record: dict[str, Any]) -> None:
    record["items"]["toy"]["predicted"]["mean"][2] = "high"


def _missing_pooling(record: dict[str, Any]) -> None:
    del record["items"]["toy"]["predicted"]["cls"]


def _no_items(record: dict[str, Any]) -> None:
    del record["items"]


def _subset(record: dict[str, Any]) -> None:
    record["items"]["toy"]["subset"][0] = 7


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_cut, "items.toy has 5 gold scores, 6 subset numbers, 6 predictions under mean"),
        (_word, "items.toy.predicted.mean holds something that is no number"),
        (_missing_pooling, "items.toy.predicted.cls is missing"),
        (_no_items, "items is missing"),
        (_subset, "groups: ids run from 0 to 7"),
    ],
)
def test_a_damaged_file_is_named_with_the_place(
    damage: Callable[[dict[str, Any]], None], message: str, scores: SuiteScores, tmp_path: Path
) -> None:
    path = tmp_path / "scores.json"
    record = scores.to_json()
    damage(record)
    path.write_text(json.dumps(record))
    with pytest.raises(DataError, match=message) as caught:
        read_scores(path)
    assert str(path) in str(caught.value)
    assert "evaluate the encoder again" in str(caught.value)


def test_files_that_are_no_scores(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json: cannot be read"):
        read_scores(tmp_path / "none.json")
    half = tmp_path / "half.json"
    half.write_text('{"kind": "sts", "poolings": {"mean"')
    with pytest.raises(DataError, match=r"half\.json: not JSON"):
        read_scores(half)
    half.write_text("[1, 2]")
    with pytest.raises(DataError, match="the file is missing, empty or no object"):
        read_scores(half)


def test_a_place_that_cannot_be_written_leaves_nothing_behind(scores: SuiteScores, tmp_path: Path) -> None:
    (tmp_path / "scores.json").mkdir()
    with pytest.raises(WorkError, match="could not be written"):
        write_scores(scores, tmp_path / "scores.json")
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.json"]
