from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evidence.best_of import best_of

DEV = [0.70, 0.72, 0.71, 0.69, 0.75]
TEST = [0.60, 0.59, 0.64, 0.66, 0.61]


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_as_going_through_all_draws_has_it(k: int) -> None:
    chosen = [max(draw, key=lambda run: DEV[run]) for draw in combinations(range(5), k)]
    found = best_of(DEV, TEST, k)
    assert found.dev == pytest.approx(np.mean([DEV[run] for run in chosen]))
    assert found.test == pytest.approx(np.mean([TEST[run] for run in chosen]))


def test_one_run_is_the_plain_mean_and_all_runs_are_the_best_on_dev() -> None:
    assert best_of(DEV, TEST, 1).test == pytest.approx(np.mean(TEST))
    assert best_of(DEV, TEST, 5).test == pytest.approx(0.61)


def test_runs_that_tie_on_dev_are_taken_by_chance() -> None:
    assert best_of([0.7, 0.7, 0.1], [0.5, 0.6, 0.9], 3).test == pytest.approx(0.55)


def test_more_than_there_are_is_refused() -> None:
    with pytest.raises(RequestError, match="there are 5 run"):
        best_of(DEV, TEST, 6)
    with pytest.raises(RequestError, match="best of 0"):
        best_of(DEV, TEST, 0)
    with pytest.raises(RequestError, match="5 dev scores and 4"):
        best_of(DEV, TEST[:4], 2)
