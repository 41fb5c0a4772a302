from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from twinset.errors import RequestError
from twinset.evaluation.metrics import pearson


def test_a_value_worked_out_by_hand() -> None:
    # deviations (-1, 0, 1) and (-2, -1, 3): products 2 + 3 = 5; squares 2 and 14
    assert pearson([1, 2, 3], [1, 2, 6]) == pytest.approx(5 / math.sqrt(28), abs=1e-15)


@pytest.mark.parametrize("seed", range(200))
def test_agrees_with_scipy(seed: int) -> None:
    generator = np.random.default_rng(seed)
    size = int(generator.integers(3, 60))
    x = generator.normal(size=size) * 10.0 ** generator.integers(-6, 6)
    y = x * generator.normal() + generator.normal(size=size) + 100
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)


@pytest.mark.parametrize(
    "x", [[0.1] * 7, [5.0], [], [1.0, math.nan, 2.0, 3, 4, 5, 6], [1, math.inf, 2, 3, 4, 5, 6]]
)
def test_without_an_answer_it_is_not_a_number(x: list[float]) -> None:
    y = np.arange(len(x))
    assert math.isnan(pearson(x, y))
    assert math.isnan(pearson(y, x))


def test_scale_and_shift_do_not_matter_and_huge_numbers_do_not_overflow() -> None:
    x, y = np.array([1.0, 2, 4, 3]), np.array([0.0, 5, 1, 2])
    expected = pearson(x, y)
    assert pearson(x * 1e200, y) == pytest.approx(expected)
    assert pearson(x * 1e-200, 3 * y + 2) == pytest.approx(expected)
    assert pearson(x, -y) == pytest.approx(-expected)
    assert pearson([-1.7e308, 1.7e308, 1.7e308] * 9, [0, 1, 1] * 9) == pytest.approx(1.0)


def test_never_leaves_its_range() -> None:
    x = np.random.default_rng(0).normal(size=1000)
    assert pearson(x, 3 * x) == pytest.approx(1.0)
    assert pearson(x, 3 * x) <= 1.0


def test_lengths_and_shapes_that_do_not_fit() -> None:
    with pytest.raises(RequestError, match="one length; these have 3 and 2"):
        pearson([1, 2, 3], [1, 2])
    with pytest.raises(RequestError, match=r"x has shape \(2, 2\)"):
        pearson(np.eye(2), [1, 2])
