"""How good yes-or-no decisions are: accuracy and F1 of decisions made, average precision over thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twinset.errors import RequestError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def accuracy(labels: ArrayLike, decided: ArrayLike) -> float:
    """Share of items whose decision is the label. labels, decided (n,) bool, n >= 1.

    >>> accuracy([True, True, False, False], [True, False, False, False])
    0.75
    """
    truth, said = _pair(labels, decided)
    return float((truth == said).mean())


def f1(labels: ArrayLike, decided: ArrayLike) -> float:
    """F1 = 2 TP / (2 TP + FP + FN), of the items that are true: their precision's and recall's harmonic mean.

    labels, decided (n,) bool, n >= 1. 0 where nothing is true and nothing was said to be.

    >>> f1([True, True, False, False], [True, False, False, False])  # precision 1, recall 1/2
    0.6666666666666666
    """
    truth, said = _pair(labels, decided)
    hits, both = int((truth & said).sum()), int(truth.sum() + said.sum())
    return 2 * hits / both if both else 0.0


def average_precision_score(labels: ArrayLike, scores: ArrayLike) -> float:
    """AP = sum over distinct scores s, from the highest, of (recall at s - recall before) * precision at s.

    labels (n,) bool, true for one at least; scores (n,), finite. Equal scores are one threshold, as
    scikit-learn has it: they are decided alike, and an item drawn twice weighs twice.

    >>> average_precision_score([True, False, True, False], [0.9, 0.8, 0.8, 0.1])  # 1/2 * 1 + 1/2 * 2/3
    0.8333333333333333
    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise RequestError("an average precision needs finite scores; some are not")
    truth, _ = _pair(labels, values)
    if not truth.any():
        raise RequestError("an average precision needs an item that is true")
    distinct, place = np.unique(-values, return_inverse=True)
    hits = np.bincount(place, weights=truth, minlength=len(distinct))
    precision = np.cumsum(hits) / np.cumsum(np.bincount(place, minlength=len(distinct)))
    return float(hits @ precision / hits.sum())


def _pair(labels: ArrayLike, decided: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    truth, said = np.asarray(labels, dtype=bool), np.asarray(decided, dtype=bool)
    if truth.ndim != 1 or truth.shape != said.shape or not truth.size:
        raise RequestError(
            "a classification needs one label and one decision an item; "
            f"the shapes are {truth.shape} and {said.shape}"
        )
    return truth, said
