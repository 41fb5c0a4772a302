from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from twinset.evidence.interval import Interval, interval

Scores = tuple[np.ndarray, np.ndarray]


def drawn_scores(
    rng: np.random.Generator, runs: tuple[int, int], *, seeds: float, shared: float, own: float
) -> tuple[Scores, Scores]:
    """Observed and bootstrapped scores of two sides without a difference. The items' part: `shared` by all
    runs of a side, `own` for each run."""
    observed, drawn = [], []
    for count in runs:
        side = rng.normal(scale=shared) + rng.normal(scale=own, size=count)
        observed.append(side + rng.normal(scale=seeds, size=count))
        draws = rng.normal(scale=shared, size=(200, 1)) + rng.normal(scale=own, size=(200, count))
        drawn.append(observed[-1] + draws)
    return (observed[0], observed[1]), (drawn[0], drawn[1])


def made(runs: tuple[int, int], **scales: float) -> list[Interval]:
    rng = np.random.default_rng(0)
    return [interval(*drawn_scores(rng, runs, **scales), components=500) for _ in range(1500)]


def covered(found: list[Interval]) -> float:
    return float(np.mean([one.low <= 0 <= one.high for one in found]))


def test_without_items_it_is_welchs_test() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=4), rng.normal(size=6, scale=2)
    still = (np.tile(first, (50, 1)), np.tile(second, (50, 1)))
    found = interval((first, second), still, components=100)
    expected = stats.ttest_ind(first, second, equal_var=False)
    assert found.p == pytest.approx(expected.pvalue)
    assert found.freedom == pytest.approx(expected.df)
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval()))


def test_without_seeds_it_is_the_bootstraps_standard_error() -> None:
    rng = np.random.default_rng(2)
    drawn = (rng.normal(size=(5000, 1)), rng.normal(size=(5000, 1)))
    found = interval((np.array([0.3]), np.array([0.1])), drawn, components=80)
    error = float(np.std(drawn[0] - drawn[1], ddof=1))
    assert found.error == pytest.approx(error)
    assert found.freedom == pytest.approx(79)
    assert found.high - 0.2 == pytest.approx(stats.t.ppf(0.975, 79) * error)


def test_what_varies_from_run_to_run_within_a_side_is_not_counted_twice() -> None:
    rng = np.random.default_rng(3)
    own = (rng.normal(size=(4000, 3)), rng.normal(size=(4000, 3)))
    found = interval((np.array([0.0, 1, 2]), np.array([0.0, 1, 2])), own, components=500)
    assert found.by_seeds == pytest.approx(2 / 3)
    # All that the draws change is each run's own, which the runs' variance holds already.
    assert found.by_items < 0.03


def test_what_the_items_do_to_a_whole_side_is_counted() -> None:
    rng = np.random.default_rng(4)
    shared = tuple(np.repeat(rng.normal(size=(4000, 1)), 3, axis=1) for _ in range(2))
    found = interval((np.zeros(3), np.zeros(3)), (shared[0], shared[1]), components=500)
    assert found.by_items == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize("runs", [(3, 3), (5, 5), (3, 5)])
@pytest.mark.parametrize("scales", [(1.0, 0.0, 0.0), (0.1, 1.0, 0.3), (0.5, 0.5, 0.5)])
def test_intervals_cover_what_they_promise(runs: tuple[int, int], scales: tuple[float, float, float]) -> None:
    seeds, shared, own = scales
    assert 0.93 <= covered(made(runs, seeds=seeds, shared=shared, own=own)) <= 0.985


def test_a_fixed_encoder_has_no_seeds() -> None:
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(1500):
        (fixed, _), (still, _) = drawn_scores(rng, (1, 1), seeds=0, shared=0.5, own=0)
        (runs, _), (moving, _) = drawn_scores(rng, (4, 1), seeds=0.5, shared=0.5, own=0)
        found = interval((fixed, runs), (still, moving), components=500)
        hits += found.low <= 0 <= found.high
    assert 0.93 <= hits / 1500 <= 0.985


def test_equal_scores_have_no_difference_and_no_error() -> None:
    same = (np.array([0.5]), np.array([0.5]))
    drawn = (np.full((100, 1), 0.5), np.full((100, 1), 0.5))
    found = interval(same, drawn, components=60)
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1.0)
    assert not found.excludes_zero


def test_the_level_widens_it() -> None:
    scores = drawn_scores(np.random.default_rng(5), (3, 3), seeds=1, shared=1, own=0)
    narrow, wide = (interval(*scores, components=99, level=level) for level in (0.9, 0.99))
    assert wide.high > narrow.high
    assert wide.p == narrow.p
