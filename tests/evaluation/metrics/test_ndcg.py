from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from tests.evaluation.metrics.plain_ranking import rankings
from twinset.errors import RequestError
from twinset.evaluation.metrics import Places, ndcg
from twinset.evaluation.metrics.ndcg import ndcg_of


def test_values_worked_out_by_hand() -> None:
    third = 1 / math.log2(3)
    assert ndcg([3, 2, 1], [1, 0, 2]) == pytest.approx((1 + 2 / 2) / (2 + third))
    assert ndcg([3, 2, 1], [1, 0, 2], gain="exponential") == pytest.approx((1 + 3 / 2) / (3 + third))
    assert ndcg([3, 2, 1], [1, 0, 2], 2) == pytest.approx(1 / (2 + third))
    assert ndcg([3, 2, 1], [1, 0, 2], 1) == pytest.approx(1 / 2)
    assert ndcg([1, 2, 3], [0, 1, 2]) == 1


def test_without_ties_agrees_with_scikit_learn() -> None:
    for scores, relevance, k in rankings(ties=False):
        if len(scores) > 1:  # scikit-learn takes no single item
            expected = ndcg_score([relevance], [scores], k=k)
            assert ndcg(scores, relevance, k) == pytest.approx(expected, abs=1e-12)
            expected = ndcg_score([2.0**relevance - 1], [scores], k=k)
            assert ndcg(scores, relevance, k, gain="exponential") == pytest.approx(expected, abs=1e-12)


def test_what_was_not_found_still_counts_in_the_best_order() -> None:
    found = Places(ranks=np.array([1.0, math.inf]), gains=np.array([1.0, 1.0]))
    assert ndcg_of(found) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_an_unknown_gain_is_refused() -> None:
    with pytest.raises(RequestError, match="'log' is none of linear, exponential"):
        ndcg([1], [1], gain="log")  # type: ignore[arg-type]
