from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluation.judged_texts import DEV, PAIR_TASK, PAIRS, KnownRoles, labelled
from tests.evaluation.known_vectors import KnownVectors
from twinset.data import LabelledPairs, Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation import PairScores, PairTask, Suite, evaluate
from twinset.evaluation.items import Classified


def _scores(task: PairTask) -> PairScores:
    found = evaluate(KnownVectors(), Suite(name="s", tasks=(task,))).task(task.name)
    assert isinstance(found, PairScores)
    return found


def test_the_threshold_comes_from_the_dev_pairs() -> None:
    scores = _scores(PAIR_TASK)
    middle = (math.cos(math.radians(40)) + math.cos(math.radians(60))) / 2
    assert scores.thresholds == pytest.approx({"f1": middle, "accuracy": middle}, abs=1e-6)
    # 10, 30, 50 degrees are above it: two of three right, both found; three of four decisions right
    assert scores.metrics["f1"] == pytest.approx(4 / 5)
    assert scores.metrics["accuracy"] == pytest.approx(3 / 4)
    assert scores.metrics["average_precision"] == pytest.approx((1 + 2 / 3) / 2)
    assert (scores.metric, scores.value) == ("f1", pytest.approx(4 / 5))
    assert scores.notes == ()
    assert scores.selected_on_scored is False


def test_the_dev_pairs_decide_and_not_the_scored_ones() -> None:
    moved = replace(PAIR_TASK, dev=labelled((5, 20, 25, 80), (1, 1, 0, 0)))
    # now only 10 degrees is above the line
    assert _scores(moved).metrics["f1"] == pytest.approx(2 / 3)


def test_without_dev_pairs_there_is_average_precision_only() -> None:
    scores = _scores(replace(PAIR_TASK, dev=None))
    assert scores.metrics == pytest.approx({"average_precision": (1 + 2 / 3) / 2})
    assert scores.metric == "average_precision"
    assert scores.items().threshold is None
    with pytest.raises(RequestError, match="no metric 'f1'; there are average_precision"):
        scores.items("f1")


def test_the_best_f1_on_the_scored_pairs_is_warned_of_and_marked() -> None:
    with pytest.warns(UserWarning, match="paraphrases: the threshold is chosen on the pairs it is scored on"):
        task = replace(PAIR_TASK, threshold="best_on_test", dev=labelled((5, 20, 25, 80), (1, 1, 0, 0)))
    found = evaluate(KnownVectors(), Suite(name="s", tasks=(task,)))
    scores = found.task("paraphrases")
    assert isinstance(scores, PairScores)
    assert scores.value == pytest.approx(4 / 5)
    assert scores.selected_on_scored is True
    assert scores.to_json()["selected_on_scored"] is True
    assert any("too high" in note for note in found.notes)
    assert "too high" in found.table()
    assert found.to_json()["notes"] == list(found.notes)


def test_items_are_the_pairs_with_the_metrics_own_threshold() -> None:
    dev = labelled((5, 40, 60, 80, 85), (1, 1, 0, 0, 1))
    scores = _scores(replace(PAIR_TASK, dev=dev))
    items = scores.items()
    assert isinstance(items, Classified)
    assert (items.metric, items.threshold) == ("f1", scores.thresholds["f1"])
    assert items.labels.tolist() == [True, False, True, False]
    assert items.predicted.tolist() == [0.984808, 0.866025, 0.642788, 0.34202]
    assert scores.items("accuracy").threshold == scores.thresholds["accuracy"]
    assert len(scores) == len(items) == 4


def test_each_metric_has_the_threshold_that_is_best_for_it() -> None:
    # F1 is best when all three are called right, accuracy is no better then than with the first alone
    dev = labelled((5, 40, 70), (1, 0, 1))
    scores = _scores(replace(PAIR_TASK, dev=dev))
    assert scores.thresholds["accuracy"] > math.cos(math.radians(40))
    assert scores.thresholds["f1"] == pytest.approx(math.cos(math.radians(70)), abs=1e-6)


def test_roles_of_the_pairs_are_the_encoders() -> None:
    encoder = KnownRoles()
    task = PairTask(name="p", pairs=replace(PAIRS, roles=("query", "document")))
    found = evaluate(encoder, Suite(name="s", tasks=(task,))).task("p")
    assert dict(encoder.asked) == {"query": ("0",), "document": ("10", "30", "50", "70")}
    assert isinstance(found, PairScores)
    assert found.predicted[0] == 1.0  # the query's vector is turned by ten degrees


def _named(names: tuple[str, ...]) -> LabelledPairs:
    return LabelledPairs(Texts(["0", "0"]), Texts(["1", "2"]), np.array([0, 1]), names)


def test_which_label_means_that_a_pair_belongs_together() -> None:
    digits, words = _named(("0", "1")), _named(("True", "False"))
    assert PairTask(name="p", pairs=digits).belongs(digits).tolist() == [False, True]
    assert PairTask(name="p", pairs=words).belongs(words).tolist() == [True, False]
    same = PairTask(name="p", pairs=_named(("same", "other")), positive="same")
    assert same.belongs(_named(("same", "other"))).tolist() == [True, False]
    with pytest.raises(DataError, match=r"which of the labels same, other means .*Say positive='other'"):
        PairTask(name="p", pairs=_named(("same", "other")))


def test_tasks_that_cannot_be() -> None:
    with pytest.raises(DataError, match="p: no pair belongs together"):
        PairTask(name="p", pairs=labelled((1, 2), (0, 0)))
    with pytest.raises(DataError, match="p: no dev pair does not"):
        PairTask(name="p", pairs=PAIRS, dev=labelled((1, 2), (1, 1)))
    with pytest.raises(RequestError, match="'test' is none of dev, best_on_test"):
        PairTask(name="p", pairs=PAIRS, threshold="test")  # type: ignore[arg-type]


def test_vectors_that_are_no_numbers() -> None:
    class Broken(KnownVectors):
        def encode(self, texts: Texts, /) -> np.ndarray:
            return np.full((len(texts), 2), np.nan, np.float32)

    with pytest.raises(RequestError, match="some vectors are no numbers"):
        evaluate(Broken(), Suite(name="s", tasks=(PAIR_TASK,)))
    alone = evaluate(Broken(), Suite(name="s", tasks=(PairTask(name="p", pairs=PAIRS),)))
    assert math.isnan(alone.headline)
    assert alone.to_json()["headline"]["value"] is None  # type: ignore[index]


def test_the_fingerprint_is_of_texts_and_labels() -> None:
    mark = _scores(PAIR_TASK).fingerprint
    assert _scores(replace(PAIR_TASK, dev=None)).fingerprint == mark
    assert _scores(replace(PAIR_TASK, pairs=labelled((10, 30, 50, 70), (1, 0, 1, 1)))).fingerprint != mark
    assert _scores(replace(PAIR_TASK, pairs=labelled((10, 30, 50, 71), (1, 0, 1, 0)))).fingerprint != mark
    assert DEV.columns[0] != PAIRS.columns[0]
