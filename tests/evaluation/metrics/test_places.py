from __future__ import annotations

import math

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation.metrics import Places, average_precision, places, precision_at


def test_ranks_and_gains_worked_out_by_hand() -> None:
    found = places([0.9, 0.5, 0.7, 0.1], [0, 1, 0, 2])
    assert found.ranks.tolist() == [3, 4]
    assert found.gains.tolist() == [1, 2]


def test_of_equals_the_less_relevant_stand_in_front() -> None:
    found = places([1, 1, 1, 1, 2], [2, 0, 1, 0, 0])
    assert found.ranks.tolist() == [4, 5]
    assert found.gains.tolist() == [1, 2]


def test_what_was_judged_below_zero_is_wrong() -> None:
    assert places([3, 2, 1], [-1, 1, -2]).ranks.tolist() == [2]


def test_who_was_not_judged_is_wrong_or_out_of_the_ranking() -> None:
    scores, relevance = [5, 4, 3, 2, 1], [math.nan, 1, math.nan, 0, 1]
    assert places(scores, relevance).ranks.tolist() == [2, 5]
    assert places(scores, relevance, unjudged="unknown").ranks.tolist() == [1, 3]
    assert average_precision(scores, relevance, unjudged="unknown") == pytest.approx((1 + 2 / 3) / 2)
    assert precision_at(scores, relevance, 1) == 0
    assert precision_at(scores, relevance, 1, unjudged="unknown") == 1


def test_nothing_relevant_has_no_places() -> None:
    with pytest.raises(RequestError, match="leave the query out"):
        Places(ranks=np.empty(0), gains=np.empty(0))
    with pytest.raises(RequestError, match="leave the query out"):
        places([1, 2], [math.nan, 0], unjudged="unknown")


def test_a_cut_below_one_is_refused() -> None:
    with pytest.raises(RequestError, match="k is 0, and must be 1 or more"):
        precision_at([1, 2], [0, 1], 0)
