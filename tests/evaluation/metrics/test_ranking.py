from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, label_ranking_average_precision_score

from twinset.errors import RequestError
from twinset.evaluation.metrics import average_precision, reciprocal_rank

Metric = Callable[..., float]


def test_values_worked_out_by_hand() -> None:
    scores, relevant = [0.9, 0.5, 0.7, 0.1, 0.6], [False, True, False, True, False]
    # in order: wrong, wrong, wrong, right, right
    assert reciprocal_rank(scores, relevant) == 1 / 4
    assert average_precision(scores, relevant) == pytest.approx((1 / 4 + 2 / 5) / 2, abs=1e-15)
    assert reciprocal_rank([3, 1, 2], [True, True, False]) == 1
    assert average_precision([3, 1, 2], [True, True, False]) == pytest.approx((1 + 2 / 3) / 2, abs=1e-15)


def test_of_equals_the_wrong_ones_stand_in_front() -> None:
    assert reciprocal_rank([0, 0, 0, 0], [True, False, False, True]) == 1 / 3
    assert average_precision([0, 0, 0, 0], [True, False, False, True]) == pytest.approx((1 / 3 + 2 / 4) / 2)


@pytest.mark.parametrize("seed", range(100))
def test_without_ties_agrees_with_scikit_learn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    size = int(generator.integers(2, 60))
    scores = generator.permutation(size).astype(float)
    relevant = generator.random(size) < 0.3
    relevant[int(generator.integers(size))] = True
    found = average_precision(scores, relevant)
    assert found == pytest.approx(average_precision_score(relevant, scores), abs=1e-12)
    assert found == pytest.approx(label_ranking_average_precision_score([relevant], [scores]), abs=1e-12)
    single = np.arange(size) == int(generator.integers(size))
    # With one right item the two are the same number.
    expected = label_ranking_average_precision_score([single], [scores])
    assert reciprocal_rank(scores, single) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", [reciprocal_rank, average_precision])
@pytest.mark.parametrize("seed", range(20))
def test_with_ties_it_is_the_worst_of_all_orders(seed: int, metric: Metric) -> None:
    generator = np.random.default_rng(seed)
    scores = generator.integers(0, 3, size=6).astype(float)
    relevant = np.array([True, False, True, False, False, True])[generator.permutation(6)]
    orders = (scores + 1e-3 * np.array(order) for order in itertools.permutations(range(6)))
    assert metric(scores, relevant) == pytest.approx(min(metric(order, relevant) for order in orders))


@pytest.mark.parametrize("seed", range(20))
def test_one_right_item_among_ties_is_where_scikit_learn_puts_it(seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = generator.integers(0, 4, size=12)
    single = np.arange(12) == int(generator.integers(12))
    expected = label_ranking_average_precision_score([single], [scores])
    assert reciprocal_rank(scores, single) == pytest.approx(expected, abs=1e-12)
    assert average_precision(scores, single) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", [reciprocal_rank, average_precision])
@pytest.mark.parametrize(
    ("scores", "relevant", "words"),
    [
        ([1.0, 2.0], [True], r"shapes are \(2,\) and \(1,\)"),
        ([[1.0, 2.0]], [[True, False]], "one score and one judgement an item"),
        ([1.0, 2.0], [False, False], "leave the query out"),
        ([1.0, math.nan], [True, False], "some of its scores are none"),
    ],
)
def test_what_cannot_be_ranked_is_told(
    metric: Metric, scores: list[float], relevant: list[bool], words: str
) -> None:
    with pytest.raises(RequestError, match=words):
        metric(scores, relevant)


def test_an_item_at_minus_infinity_comes_last() -> None:
    assert reciprocal_rank([-math.inf, 1.0, 0.0], [True, False, False]) == 1 / 3
