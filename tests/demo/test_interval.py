from __future__ import annotations

import numpy as np
import pytest

from twinset.demo.interval import interval


def test_clusters_of_one_are_the_plain_bootstrap() -> None:
    generator = np.random.default_rng(3)
    values = generator.normal(loc=2, scale=1.5, size=400)
    low, high = interval([values], [[str(number) for number in range(400)]])
    error = values.std() / np.sqrt(400)
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.04)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.04)


def test_questions_that_hang_together_count_for_less() -> None:
    generator = np.random.default_rng(4)
    files = [str(number // 10) for number in range(400)]
    values = np.repeat(generator.normal(size=40), 10)
    low, high = interval([values], [files])
    alone = interval([values], [[str(number) for number in range(400)]])
    assert high - low == pytest.approx((alone[1] - alone[0]) * np.sqrt(10), rel=0.15)


def test_packages_count_alike_and_are_drawn_apart() -> None:
    many, few = np.full(300, 1.0), np.full(3, 5.0)
    files = [[str(number) for number in range(300)], ["a", "b", "c"]]
    assert interval([many, few], files) == (3.0, 3.0)


def test_a_difference_is_drawn_as_a_whole() -> None:
    """Paired: a constant gain has no spread, however much the questions differ."""
    scores = np.random.default_rng(5).random(50)
    files = [str(number) for number in range(50)]
    assert interval([(scores + 1) - scores], [files]) == pytest.approx((1.0, 1.0))


def test_the_same_every_time() -> None:
    values, files = np.random.default_rng(6).random(30), [str(number % 7) for number in range(30)]
    assert interval([values], [files]) == interval([values], [files])
    assert interval([values], [files]) != interval([values], [files], seed=1)
