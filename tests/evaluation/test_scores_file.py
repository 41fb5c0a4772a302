from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.judged_texts import (
    PAIR_TASK,
    PAIRS,
    RANKING_TASK,
    RETRIEVAL_TASK,
    TRANSFER_TASK,
)
from tests.evaluation.known_vectors import TOY, KnownPoolings, pairs
from twinset.errors import DataError, WorkError
from twinset.evaluation import (
    PairTask,
    StsTask,
    Suite,
    SuiteScores,
    evaluate,
    read_scores,
    scores_file,
    write_scores,
)


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


MIXED = Suite(
    name="mixed",
    tasks=(
        StsTask(name="toy", pairs=TOY),
        PAIR_TASK,
        PairTask(name="unsplit", pairs=PAIRS),
        RANKING_TASK,
        RETRIEVAL_TASK,
        TRANSFER_TASK,
    ),
)


def test_every_kind_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    scores = evaluate(KnownPoolings(), MIXED, poolings=("mean", "cls"))
    write_scores(scores, path)
    again = read_scores(path)
    assert again.to_json() == scores.to_json()
    assert again.table() == scores.table()
    assert again.notes == scores.notes
    assert (again.metric, again.to_json()["kind"]) == ("mixed", "mixed")
    for pooling in scores.poolings:
        for name in scores.tasks:
            one, other = scores.task(name, pooling), again.task(name, pooling)
            assert type(one) is type(other)
            assert other.metrics == pytest.approx(one.metrics, abs=1e-12)
            assert other.fingerprint == one.fingerprint != ""
            np.testing.assert_array_equal(other.clusters, one.clusters)
            _same_items(one.items(), other.items())


def _same_items(one: object, other: object) -> None:
    assert type(one) is type(other)
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, vars(other)[name])


def test_a_threshold_chosen_on_the_scored_pairs_stays_marked(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="too high"):
        task = PairTask(name="p", pairs=PAIRS, threshold="best_on_test")
    path = tmp_path / "scores.json"
    write_scores(evaluate(KnownPoolings(), Suite(name="s", tasks=(task,))), path)
    assert json.loads(path.read_text())["items"]["p"]["selected_on_scored"] is True
    assert any("too high" in note for note in read_scores(path).notes)


def test_a_file_from_before_clusters_is_read_with_a_note(scores: SuiteScores, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    record: Any = scores.to_json()
    for task in record["items"].values():
        for name in ("kind", "clusters", "fingerprint"):
            del task[name]
    path.write_text(json.dumps(record))
    old = read_scores(path)
    assert old.task("toy").metrics == scores.task("toy").metrics
    assert old.task("toy").clusters.tolist() == [0, 1, 2, 3, 4, 5]
    assert old.task("flat", "cls").clusters.tolist() == [6, 7, 8]
    assert old.task("toy").fingerprint == ""
    (note,) = old.notes
    assert note == f"{path}: {scores_file.OLD} (toy, flat)"
    assert note in old.table()


def _damage(task: str, *keys: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def damage(record: dict[str, Any]) -> None:
        part: Any = record["items"][task]
        for key in keys[:-1]:
            part = part[key]
        part[keys[-1]] = value

    return damage


MEAN = ("predicted", "mean")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_damage("toy", "kind", value="poetry"), "items.toy.kind is 'poetry', none of sts, pairs"),
        (_damage("toy", "clusters", value=[1, 2]), "items.toy has 6 items, 2 clusters"),
        (_damage("toy", "clusters", 0, value=0.5), "items.toy.clusters holds something that is no whole"),
        (_damage("paraphrases", "labels", value=[1, 0]), "items.paraphrases has 2 labels, 4 cosines"),
        (_damage("paraphrases", "labels", value=[1, 1, 1, 1]), "labels are not 0 and 1"),
        (_damage("paraphrases", *MEAN, "thresholds", value={"auc": 1}), "thresholds names auc"),
        (_damage("paraphrases", *MEAN, "cosines", 0, value="x"), "cosines holds something that is no number"),
        (_damage("paraphrases", *MEAN, value=[]), "items.paraphrases.predicted.mean is missing"),
        (_damage("answers", *MEAN, "ranks", value=[[1]]), "answers.predicted.mean has 1 ranks, 2 gains"),
        (_damage("answers", *MEAN, "ranks", 0, value=[1]), "query 1, has 1 ranks, 2 gains"),
        (_damage("answers", *MEAN, "ranks", 0, value=[2, 2]), "query 1: ranks must ascend"),
        (_damage("answers", *MEAN, "gains", 0, value=[0, 1]), "query 1: ranks must ascend and gains be"),
        (_damage("answers", "metric", value="hits"), "'hits' is none of ndcg"),
        (_damage("sides", *MEAN, "labels", value=[0]), "items.sides has 10 labels, 1 predictions"),
        (_damage("sides", "labels", 0, value="left"), "items.sides.labels holds something that is no number"),
        (_damage("sides", "labels", 0, value=[1]), "items.sides.labels holds something that is no number"),
    ],
)
def test_damage_to_any_kind_is_named_with_the_place(
    damage: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "scores.json"
    record = evaluate(KnownPoolings(), MIXED, poolings=("mean", "cls")).to_json()
    damage(record)
    path.write_text(json.dumps(record))
    with pytest.raises(DataError, match=message):
        read_scores(path)


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
