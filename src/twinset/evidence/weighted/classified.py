"""Decisions about pairs, of many draws at once.

F1 = 2 TP / (2 TP + FP + FN),  accuracy = (TP + TN) / N,
AP = sum over distinct scores s of (recall at s - recall before) * precision at s
"""

from __future__ import annotations

from collections.abc import Callable
from typing import final

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.items import Classified


@final
class WeightedDecisions:
    """(n, b) weights to (systems, b) values."""

    def __init__(self, systems: list[Classified]) -> None:
        self._one = [_of(one) for one in systems]

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack([value(weights) for value in self._one])


def _of(items: Classified) -> Callable[[np.ndarray], np.ndarray]:
    if items.metric == "average_precision":
        return _AveragePrecision(items.labels, items.predicted)
    if items.threshold is None:
        raise RequestError(f"{items.metric}: these items have no threshold, so no pair is decided")
    said = items.predicted >= items.threshold
    right = items.labels
    if items.metric == "accuracy":
        hits = (said == right).astype(np.float64)
        return lambda weights: hits @ weights / weights.sum(axis=0)
    both, either = (said & right).astype(np.float64), said.astype(np.float64) + right
    return lambda weights: 2 * (both @ weights) / (either @ weights)


@final
class _AveragePrecision:
    def __init__(self, labels: np.ndarray, predicted: np.ndarray) -> None:
        self._order = np.argsort(-predicted, kind="stable")
        ordered = predicted[self._order]
        self._starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        self._right = labels[self._order].astype(np.float64)[:, None]

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        own = weights.take(self._order, axis=0)
        right = np.add.reduceat(own * self._right, self._starts, axis=0)
        seen = np.cumsum(np.add.reduceat(own, self._starts, axis=0), axis=0)
        found = np.cumsum(right, axis=0)
        # Before anything was drawn there is no precision, and no recall is gained either.
        precision = np.divide(found, seen, out=np.zeros_like(found), where=seen > 0)
        return np.einsum("nb,nb->b", right, precision) / found[-1]
