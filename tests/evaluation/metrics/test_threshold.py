from __future__ import annotations

import math

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation.metrics import Thresholded, accuracy, best_threshold, f1

METRICS = {"f1": f1, "accuracy": accuracy}


def test_it_lies_between_two_neighbours() -> None:
    scores = [0.9, 0.8, 0.6, 0.4, 0.1]
    assert best_threshold([True, True, False, False, False], scores) == pytest.approx(0.7)
    assert best_threshold([True, True, False, True, False], scores) == pytest.approx(0.25)
    # 4 of 5 are right after the second and after the fourth: the higher one is taken
    assert best_threshold([True, True, False, True, False], scores, "accuracy") == pytest.approx(0.7)


@pytest.mark.parametrize("metric", METRICS)
def test_no_threshold_is_better(metric: Thresholded) -> None:
    for seed in range(1000):
        generator = np.random.default_rng(seed)
        size = int(generator.integers(1, 25))
        scores = generator.integers(0, 9, size=size) / 8
        labels = generator.random(size) < generator.random()
        best = max(METRICS[metric](labels, scores >= each) for each in (*scores, math.inf))
        chosen = best_threshold(labels, scores, metric)
        assert METRICS[metric](labels, scores >= chosen) == pytest.approx(best, abs=1e-12)
        assert math.isfinite(chosen)


def test_equal_scores_are_decided_alike() -> None:
    # two right ones and a wrong one cannot be told apart: all or none
    labels, scores = [True, False, True, False], [0.5, 0.5, 0.5, 0.1]
    assert best_threshold(labels, scores) == pytest.approx(0.3)


def test_all_or_nothing() -> None:
    assert best_threshold([True, True], [0.4, 0.2]) == 0.2
    nothing = best_threshold([False, False], [0.4, 0.2], "accuracy")
    assert 0.4 < nothing < 0.4 + 1e-12


def test_neighbouring_floats_are_still_told_apart() -> None:
    low = 1.0
    high = float(np.nextafter(low, 2))
    assert low < best_threshold([True, False], [high, low]) <= high


def test_what_cannot_be_thresholded_is_told() -> None:
    with pytest.raises(RequestError, match="one label and one score an item"):
        best_threshold([], [])
    with pytest.raises(RequestError, match="finite scores"):
        best_threshold([True, False], [1.0, math.nan])
    with pytest.raises(RequestError, match="'auc' is none of f1, accuracy"):
        best_threshold([True], [1.0], "auc")  # type: ignore[arg-type]
