from __future__ import annotations

import math

import numpy as np
import pytest

from tests.evaluation.known_vectors import TOY_ALL, TOY_MEAN, TOY_WMEAN
from twinset.data import Groups
from twinset.evaluation.correlations import correlate
from twinset.evaluation.metrics import spearman

GOLD = np.array([4.0, 3.0, 1.0, 2.0, 0.5, 5.0])
PREDICTED = np.array([0.9, 0.8, 0.7, 0.5, 0.6, 0.4])
GROUPS = Groups.of(["a", "a", "a", "a", "b", "b"])


def test_the_three_protocols_worked_out_by_hand() -> None:
    scores = correlate(spearman, GOLD, PREDICTED, GROUPS)
    assert scores.all == pytest.approx(TOY_ALL)
    assert scores.mean == pytest.approx(TOY_MEAN)
    assert scores.wmean == pytest.approx(TOY_WMEAN)
    assert scores.subsets == pytest.approx({"a": 0.8, "b": -1.0})


def test_subsets_need_not_lie_together() -> None:
    order = np.array([4, 0, 2, 5, 1, 3])
    mixed = correlate(spearman, GOLD[order], PREDICTED[order], GROUPS.take(order))
    assert mixed.wmean == pytest.approx(TOY_WMEAN)
    assert mixed.subsets == pytest.approx({"a": 0.8, "b": -1.0})


def test_one_set_shows_its_parts_and_does_not_average_them() -> None:
    scores = correlate(spearman, GOLD, PREDICTED, GROUPS, one_set=True)
    assert scores.all == scores.mean == scores.wmean == pytest.approx(TOY_ALL)
    assert scores.subsets == pytest.approx({"a": 0.8, "b": -1.0})


def test_a_subset_without_a_value_is_not_left_out_in_silence() -> None:
    gold = np.array([1.0, 2.0, 3.0, 5.0, 5.0])
    scores = correlate(spearman, gold, np.array([0.1, 0.2, 0.3, 0.4, 0.5]), Groups.of(["a"] * 3 + ["b"] * 2))
    assert math.isnan(scores.subsets["b"])
    assert math.isnan(scores.mean)
    assert math.isnan(scores.wmean)
    assert scores.all > 0.9
    assert scores.to_json()["mean"] is None
    assert scores.to_json()["subsets"] == {"a": 1.0, "b": None}
