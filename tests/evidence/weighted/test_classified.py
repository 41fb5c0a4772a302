from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, average_precision_score, f1_score

from twinset.errors import RequestError
from twinset.evaluation.items import Classified
from twinset.evidence.weighted.classified import WeightedDecisions

THRESHOLD = 0.4


def drawn_case(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 50))
    labels = rng.random(n) < 0.4
    labels[0] = True
    predicted = np.round(rng.random(n) + 0.3 * labels, 1)  # ties
    weights = rng.poisson(1, (n, 5)).astype(float)
    weights[0] = 1
    return labels, predicted, weights


def oracle(metric: str, labels: np.ndarray, predicted: np.ndarray) -> float:
    if metric == "average_precision":
        return float(average_precision_score(labels, predicted))
    return float({"f1": f1_score, "accuracy": accuracy_score}[metric](labels, predicted >= THRESHOLD))


@pytest.mark.parametrize("metric", ["f1", "accuracy", "average_precision"])
def test_a_weight_is_so_many_equal_items(metric: str) -> None:
    for seed in range(100):
        labels, predicted, weights = drawn_case(seed)
        items = Classified(metric=metric, labels=labels, predicted=predicted, threshold=THRESHOLD)  # type: ignore[arg-type]
        value = WeightedDecisions([items])(weights)[0]
        for draw in range(weights.shape[1]):
            rows = np.repeat(np.arange(len(labels)), weights[:, draw].astype(int))
            expected = oracle(metric, labels[rows], predicted[rows])
            assert value[draw] == pytest.approx(expected)


def test_each_system_has_its_own_threshold() -> None:
    labels, predicted = np.array([True, False]), np.array([0.9, 0.5])
    systems = [
        Classified(metric="accuracy", labels=labels, predicted=predicted, threshold=threshold)
        for threshold in (0.7, 0.1)
    ]
    assert WeightedDecisions(systems)(np.ones((2, 1)))[:, 0].tolist() == [1.0, 0.5]


def test_decisions_need_a_threshold() -> None:
    items = Classified(metric="f1", labels=np.array([True]), predicted=np.array([0.9]))
    with pytest.raises(RequestError, match="no threshold"):
        WeightedDecisions([items])
