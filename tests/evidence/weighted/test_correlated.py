from __future__ import annotations

import numpy as np
import pytest

from twinset.evaluation.items import Correlated
from twinset.evaluation.metrics import pearson, spearman
from twinset.evidence.weighted.correlated import WeightedCorrelation

METRICS = {"spearman": spearman, "pearson": pearson}


def drawn_case(seed: int, *, ties: bool) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
    """gold (n,), the predictions of three systems, and weights (n, 6) as resampling gives them."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 60))
    gold = rng.uniform(0, 5, n)
    systems = [gold + rng.normal(scale=scale, size=n) for scale in (0.5, 1, 4)]
    if ties:
        gold, systems = np.round(gold), [np.round(one) for one in systems]
    return gold, systems, rng.poisson(1, (n, 6)).astype(float)


def repeated(weights: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(weights)), weights.astype(int))


@pytest.mark.parametrize("metric", ["spearman", "pearson"])
@pytest.mark.parametrize("ties", [False, True])
def test_a_weight_is_so_many_equal_items(metric: str, ties: bool) -> None:
    for seed in range(100):
        gold, systems, weights = drawn_case(seed, ties=ties)
        value = WeightedCorrelation(
            [Correlated(metric=metric, gold=gold, predicted=one) for one in systems]  # type: ignore[arg-type]
        )(weights)
        for draw in range(weights.shape[1]):
            rows = repeated(weights[:, draw])
            expected = [METRICS[metric](gold[rows], one[rows]) for one in systems]
            np.testing.assert_allclose(value[:, draw], expected, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_subsets_are_averaged_in_every_draw(weighted: bool) -> None:
    gold, systems, weights = drawn_case(3, ties=True)
    subsets = np.arange(len(gold)) % 3
    value = WeightedCorrelation(
        [
            Correlated(metric="spearman", gold=gold, predicted=one, subsets=subsets, weighted=weighted)
            for one in systems
        ]
    )(weights)
    for draw in range(weights.shape[1]):
        rows = repeated(weights[:, draw])
        parts = [rows[subsets[rows] == name] for name in range(3)]
        sizes = [len(part) for part in parts] if weighted else [1, 1, 1]
        expected = np.average([spearman(gold[part], systems[2][part]) for part in parts], weights=sizes)
        assert value[2, draw] == pytest.approx(expected)


def test_a_draw_without_any_difference_has_no_correlation() -> None:
    items = Correlated(metric="spearman", gold=np.array([1.0, 2, 3]), predicted=np.array([0.1, 0.2, 0.3]))
    value = WeightedCorrelation([items])(np.array([[1.0, 3], [1, 0], [1, 0]]))
    assert value[0, 0] == pytest.approx(1)
    assert np.isnan(value[0, 1])
