from __future__ import annotations

import math

import numpy as np
import pytest

from tests.evaluation.known_vectors import TOY, pairs
from twinset.data import Groups
from twinset.errors import DataError
from twinset.evaluation import Points, StsItems, StsTask
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


def test_a_task_without_pairs_is_refused() -> None:
    with pytest.raises(DataError, match="mine: there is no scored pair"):
        StsTask(name="mine", pairs=pairs((), ()))
