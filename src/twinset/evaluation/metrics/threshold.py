"""Where to draw the line: the threshold at which scores decide best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from twinset.errors import RequestError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Thresholded = Literal["f1", "accuracy"]


def best_threshold(labels: ArrayLike, scores: ArrayLike, metric: Thresholded = "f1") -> float:
    """The threshold at which `scores >= threshold` has the best F1 or accuracy; of equally good, the highest.

    labels (n,) bool, scores (n,), n >= 1. It lies half way between two neighbouring scores. Equal scores
    are decided alike. To call everything true it is the lowest score, to call nothing true the next number
    above the highest. Choose it on other items than those it is then applied to.

    >>> best_threshold([True, True, False, True, False], [0.9, 0.8, 0.6, 0.4, 0.1])  # 3 of 4 right: F1 6/7
    0.25
    """
    truth, values = np.asarray(labels, dtype=bool), np.asarray(scores, dtype=np.float64)
    if truth.ndim != 1 or truth.shape != values.shape or not truth.size:
        raise RequestError(
            "a threshold needs one label and one score an item; "
            f"the shapes are {truth.shape} and {values.shape}"
        )
    if not np.isfinite(values).all():
        raise RequestError("a threshold needs finite scores; some are not")
    distinct, place = np.unique(-values, return_inverse=True)
    # After the j highest distinct scores: how many are called true, and how many of these are.
    said = np.concatenate([[0], np.cumsum(np.bincount(place))])
    hits = np.concatenate([[0], np.cumsum(np.bincount(place, weights=truth))])
    return _between(-distinct, int(np.argmax(_values(metric, said, hits, truth))))


def _values(metric: Thresholded, said: np.ndarray, hits: np.ndarray, truth: np.ndarray) -> np.ndarray:
    if metric == "f1":
        return 2 * hits / np.maximum(said + truth.sum(), 1)
    if metric == "accuracy":
        return (2 * hits - said + (~truth).sum()) / len(truth)
    raise RequestError(f"best_threshold: {metric!r} is none of f1, accuracy")


def _between(descending: np.ndarray, count: int) -> float:
    """A number that the first `count` scores reach and the others do not."""
    if count == 0:
        return float(np.nextafter(descending[0], np.inf))
    lowest = float(descending[count - 1])
    if count == len(descending):
        return lowest
    middle = lowest / 2 + float(descending[count]) / 2
    return middle if middle > descending[count] else lowest
