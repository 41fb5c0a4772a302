from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as theirs

from twinset.errors import RequestError
from twinset.evaluation.metrics import accuracy, average_precision_score, f1


def test_values_worked_out_by_hand() -> None:
    labels, decided = [True, True, True, False, False], [True, True, False, True, False]
    assert accuracy(labels, decided) == 3 / 5
    assert f1(labels, decided) == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert f1([False, False], [False, False]) == 0


@pytest.mark.parametrize("seed", range(0, 1000, 100))
def test_agrees_with_scikit_learn(seed: int) -> None:
    for number in range(seed, seed + 100):
        generator = np.random.default_rng(number)
        size = int(generator.integers(1, 30))
        labels, decided = generator.random(size) < 0.4, generator.random(size) < generator.random()
        assert f1(labels, decided) == pytest.approx(
            theirs.f1_score(labels, decided, zero_division=0), abs=1e-12
        )
        assert accuracy(labels, decided) == pytest.approx(theirs.accuracy_score(labels, decided), abs=1e-12)


@pytest.mark.parametrize("metric", [f1, accuracy])
def test_shapes_that_do_not_fit(metric: object) -> None:
    for labels, decided in (([True], [True, False]), ([], []), ([[True]], [[True]])):
        with pytest.raises(RequestError, match="one label and one decision an item"):
            metric(labels, decided)  # type: ignore[operator]


def test_average_precision_worked_out_by_hand() -> None:
    # thresholds 0.9 (1 of 1 right), 0.8 (2 of 3), 0.1 (3 of 5)
    labels, scores = [True, True, False, True, False], [0.9, 0.8, 0.8, 0.1, 0.1]
    assert average_precision_score(labels, scores) == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)


def test_average_precision_agrees_with_scikit_learn_ties_included() -> None:
    for number in range(1000):
        generator = np.random.default_rng(number)
        size = int(generator.integers(1, 40))
        labels, scores = generator.random(size) < 0.4, generator.integers(0, 9, size=size) / 8
        labels[int(generator.integers(size))] = True
        expected = theirs.average_precision_score(labels, scores)
        assert average_precision_score(labels, scores) == pytest.approx(expected, abs=1e-12)


def test_what_has_no_average_precision_is_told() -> None:
    with pytest.raises(RequestError, match="finite scores"):
        average_precision_score([True, False], [1.0, float("nan")])
    with pytest.raises(RequestError, match="an item that is true"):
        average_precision_score([False, False], [1.0, 2.0])
    with pytest.raises(RequestError, match=r"shapes are \(1,\) and \(2,\)"):
        average_precision_score([True], [1.0, 2.0])
