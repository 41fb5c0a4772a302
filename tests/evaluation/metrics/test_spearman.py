from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from twinset.evaluation.metrics import average_ranks, spearman


def test_a_value_worked_out_by_hand() -> None:
    # rank differences 0, -1, 1, 0: 1 - 6 * 2 / (4 * (16 - 1))
    assert spearman([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx(0.8, abs=1e-15)


def test_equal_values_share_their_average_rank() -> None:
    assert average_ranks([3, 1, 3, 3, 2]).tolist() == [4.0, 1.0, 4.0, 4.0, 2.0]
    # ranks (1.5, 1.5, 3) and (1, 2, 3): deviations -.5 -.5 1 and -1 0 1: 1.5 / sqrt(1.5 * 2)
    assert spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(1.5 / math.sqrt(3), abs=1e-15)


@pytest.mark.parametrize("seed", range(200))
def test_agrees_with_scipy_with_many_ties(seed: int) -> None:
    generator = np.random.default_rng(seed)
    size = int(generator.integers(3, 80))
    x = generator.integers(0, 5, size=size).astype(float)
    y = x + generator.integers(0, 6, size=size)
    x[0], y[0] = -1, 9  # never constant
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert average_ranks(x).tolist() == stats.rankdata(x).tolist()


def test_only_the_order_matters() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=50), generator.normal(size=50)
    assert spearman(np.exp(3 * x), y**3) == pytest.approx(spearman(x, y), abs=1e-15)


@pytest.mark.parametrize("x", [[2.0, 2.0, 2.0], [1.0], [], [1.0, math.nan, 2.0], [1.0, math.inf, 2.0]])
def test_without_an_answer_it_is_not_a_number(x: list[float]) -> None:
    assert math.isnan(spearman(x, range(len(x))))
    assert math.isnan(spearman(range(len(x)), x))
