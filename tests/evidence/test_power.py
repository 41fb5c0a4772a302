from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from twinset.errors import RequestError
from twinset.evidence.interval import Interval
from twinset.evidence.power import settles, smallest_difference


def found(*, difference: float, seeds: float, items: float) -> Interval:
    error = float(np.sqrt(seeds + items))
    return Interval(
        difference=difference,
        error=error,
        freedom=8,
        low=difference - 3 * error,
        high=difference + 3 * error,
        p=0.5,
        by_seeds=seeds,
        by_items=items,
        level=0.95,
    )


def test_the_smallest_difference_is_seen_four_times_in_five() -> None:
    shown = smallest_difference(1.0, 20)
    rng = np.random.default_rng(0)
    statistic = (shown + rng.normal(size=40_000)) / np.sqrt(rng.chisquare(20, size=40_000) / 20)
    assert np.mean(np.abs(statistic) > stats.t.ppf(0.975, 20)) == pytest.approx(0.8, abs=0.02)


def test_it_grows_with_the_error_and_the_power_asked_for() -> None:
    assert smallest_difference(2.0, 20) == pytest.approx(2 * smallest_difference(1.0, 20))
    assert smallest_difference(1.0, 20, power=0.9) > smallest_difference(1.0, 20)
    with pytest.raises(RequestError, match="between 0 and 1"):
        smallest_difference(1.0, 20, power=1.0)


def test_so_many_seeds_show_it_and_one_fewer_does_not() -> None:
    """Squared error by seeds 0.02 of 5 runs a side: a run's variance is 0.05."""
    told = settles(found(difference=0.2, seeds=0.02, items=0.0), (5, 5), 500, 0.2)
    assert told.seeds is not None
    for number, shows in ((told.seeds, True), (told.seeds - 1, False)):
        error, freedom = np.sqrt(2 * 0.05 / number), 2 * (number - 1)
        assert (smallest_difference(float(error), freedom) <= 0.2) is shows


def test_items_help_where_items_are_what_varies() -> None:
    told = settles(found(difference=0.2, seeds=0.0, items=0.04), (1, 1), 500, 0.2)
    assert told.seeds is None
    assert told.items == 8  # (2.8)^2 x 0.04 / 0.2^2 = 7.85


def test_what_neither_would_show() -> None:
    told = settles(found(difference=0.01, seeds=1.0, items=1.0), (3, 3), 500, 0.01)
    assert (told.seeds, told.items) == (None, None)
    none = settles(found(difference=0.0, seeds=1.0, items=1.0), (3, 3), 500, 0.0)
    assert (none.seeds, none.items) == (None, None)
