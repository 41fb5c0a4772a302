from __future__ import annotations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evidence.resampling import BLOCK, Clusters, Resampler

TASKS = {"one": np.array([7, 7, 9, 11]), "two": np.array([9, 13])}


def all_weights(clusters: Clusters, draws: int, seed: int = 0) -> dict[str, np.ndarray]:
    resampler = Resampler(clusters, draws=draws, seed=seed)
    blocks = [dict(resampler.weights(block)) for block in resampler.blocks()]
    return {task: np.concatenate([block[task] for block in blocks], axis=1) for task in clusters.places}


def test_components_come_and_go_together_over_all_tasks() -> None:
    weights = all_weights(Clusters.of(TASKS), 500)
    assert np.array_equal(weights["one"][0], weights["one"][1])
    assert np.array_equal(weights["one"][2], weights["two"][0])
    assert not np.array_equal(weights["one"][0], weights["one"][2])


def test_each_draw_has_as_many_components_as_there_are() -> None:
    clusters = Clusters.of(TASKS)
    resampler = Resampler(clusters, draws=70, seed=0)
    counts = np.concatenate([resampler.counts(block) for block in resampler.blocks()], axis=1)
    assert counts.shape == (4, 70)
    assert (counts.sum(axis=0) == 4).all()
    np.testing.assert_allclose(counts.mean(), 1)


def test_counts_are_multinomial() -> None:
    clusters = Clusters.of({"one": np.arange(20)})
    weights = all_weights(clusters, 4000)["one"]
    np.testing.assert_allclose(weights.mean(axis=1), 1, atol=0.08)
    np.testing.assert_allclose(weights.var(axis=1), 1 - 1 / 20, atol=0.12)
    assert np.cov(weights)[0, 1] == pytest.approx(-1 / 20, abs=0.06)


def test_the_seed_decides_and_blocks_do_not_depend_on_one_another() -> None:
    clusters = Clusters.of(TASKS)
    first, again, other = (all_weights(clusters, 100, seed) for seed in (1, 1, 2))
    assert np.array_equal(first["one"], again["one"])
    assert not np.array_equal(first["one"], other["one"])
    resampler = Resampler(clusters, draws=100, seed=1)
    last = dict(resampler.weights(resampler.blocks()[-1]))
    assert np.array_equal(last["one"], first["one"][:, -len(resampler.blocks()[-1]) :])
    assert not np.array_equal(first["one"][:, :BLOCK], first["one"][:, BLOCK : 2 * BLOCK])


def test_the_effective_number_of_components() -> None:
    assert Clusters.of({"one": np.arange(10)}).effective == pytest.approx(10)
    # Half of all items in one component: 1 / (1/4 + 5 / 100)
    assert Clusters.of({"one": np.r_[np.zeros(5), 1:6]}).effective == pytest.approx(1 / 0.30)
    # Each task counts the same, whatever its size: shares 1/4 (twice) and 1/200 (a hundred times)
    uneven = Clusters.of({"one": np.array([500, 501]), "two": np.arange(100)})
    assert uneven.effective == pytest.approx(1 / (2 / 16 + 100 / 200**2))


def test_nothing_to_draw_from_is_told() -> None:
    with pytest.raises(RequestError, match="at least one task"):
        Clusters.of({})
    with pytest.raises(RequestError, match="at least one item"):
        Clusters.of({"one": np.array([])})
    with pytest.raises(RequestError, match="below 2"):
        Resampler(Clusters.of(TASKS), draws=1, seed=0)
