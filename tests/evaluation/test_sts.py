from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluation.known_vectors import TOY, TOY_ALL, TOY_WMEAN, KnownVectors, pairs
from twinset.data import Groups, ScoredPairs
from twinset.errors import DataError, RequestError
from twinset.evaluation import Points, StsItems, StsTask, Suite, evaluate
from twinset.evaluation.predict import predict
from twinset.evaluation.sts import score


def test_a_collapsed_encoder_scores_not_a_number_and_not_its_noise() -> None:
    noise = np.random.default_rng(0).normal(size=(40, 8)) * 1e-6
    vectors = (1 + noise).astype(np.float32)
    predicted = predict(
        Points(vectors=vectors, ids=np.arange(20)), Points(vectors=vectors, ids=np.arange(20, 40))
    )
    items = StsItems(groups=Groups.of(["all"] * 20), gold=np.arange(20.0), predicted=predicted)
    scores = score("t", items, pooling="mean")
    assert math.isnan(scores.spearman.all)
    assert math.isnan(scores.pearson.all)


def test_the_two_correlations_are_not_mixed_up() -> None:
    items = StsItems(
        groups=Groups.of(["x"] * 3), gold=np.array([1.0, 2.0, 3.0]), predicted=np.array([0.1, 0.2, 0.6])
    )
    scores = score("t", items, pooling="mean")
    assert scores.correlations("spearman").all == pytest.approx(1.0)
    assert scores.correlations("pearson").all == pytest.approx(5 / math.sqrt(28))
    record = scores.to_json()
    assert record["pairs"] == 3
    assert record["pearson"] == {
        "all": 0.944911,
        "mean": 0.944911,
        "wmean": 0.944911,
        "subsets": {"x": 0.944911},
    }


def test_a_task_without_subsets_is_its_own() -> None:
    task = StsTask(name="mine", pairs=pairs((1, 2), (1, 2)))
    assert task.groups == Groups.of(["mine", "mine"])
    assert StsTask(name="toy", pairs=TOY).groups.names == ("a", "b")


def test_items_follow_the_protocol_that_is_asked_for() -> None:
    scores = evaluate(KnownVectors(), Suite(name="s", tasks=(StsTask(name="toy", pairs=TOY),))).task("toy")
    items = scores.items()
    assert (items.metric, items.subsets, items.weighted) == ("spearman", None, False)  # type: ignore[union-attr]
    assert items.gold.tolist() == TOY.scores.tolist()  # type: ignore[union-attr]
    mean, wmean = scores.items("pearson_mean"), scores.items("spearman_wmean")
    assert (mean.metric, mean.weighted) == ("pearson", False)  # type: ignore[union-attr]
    assert mean.subsets.tolist() == [0, 0, 0, 0, 1, 1]  # type: ignore[union-attr]
    assert (wmean.metric, wmean.weighted) == ("spearman", True)  # type: ignore[union-attr]
    assert scores.metrics["spearman_wmean"] == pytest.approx(TOY_WMEAN)
    assert (scores.metric, scores.value) == ("spearman", pytest.approx(TOY_ALL))
    with pytest.raises(RequestError, match="toy: no metric 'kendall'; there are spearman, spearman_mean"):
        scores.items("kendall")


def test_one_set_has_no_subsets_to_average_over() -> None:
    task = StsTask(name="toy", pairs=TOY, one_set=True)
    items = evaluate(KnownVectors(), Suite(name="s", tasks=(task,))).task("toy").items("spearman_wmean")
    assert (items.subsets, items.weighted) == (None, False)  # type: ignore[union-attr]


def test_the_fingerprint_is_of_texts_scores_and_subsets() -> None:
    def mark(data: ScoredPairs) -> str:
        suite = Suite(name="s", tasks=(StsTask(name="toy", pairs=data),))
        return evaluate(KnownVectors(), suite).task("toy").fingerprint

    gold, subsets = (4.0, 3.0, 1.0, 2.0, 0.5, 5.0), tuple("aaaabb")
    assert mark(pairs((10, 20, 30, 50, 40, 60), gold, subsets)) == mark(TOY)
    assert mark(pairs((10, 20, 30, 50, 40, 61), gold, subsets)) != mark(TOY)
    assert mark(replace(TOY, groups=None)) != mark(TOY)
    assert mark(replace(TOY, scores=TOY.scores[::-1])) != mark(TOY)


def test_a_task_without_pairs_is_refused() -> None:
    with pytest.raises(DataError, match="mine: there is no scored pair"):
        StsTask(name="mine", pairs=pairs((), ()))
