"""Spearman's rank correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twinset.evaluation.metrics.pearson import pearson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """How well the order of y follows the order of x, from -1 to 1: Pearson's correlation of the ranks.

        rho = pearson(ranks x, ranks y)        equal values share the average of their ranks

    x, y (n,). Not a number where nothing can be said (see `pearson`).

    >>> spearman([1, 2, 3, 4], [10, 30, 20, 40])  # 1 - 6 * 2 / (4 * 15)
    0.8
    """
    return pearson(average_ranks(x), average_ranks(y))


def average_ranks(values: ArrayLike) -> np.ndarray:
    """Rank from 1, equal values sharing the average of their ranks: (n,) float64.

    All ranks are "not a number" when a value is: the others then have no place in the order either.

    >>> average_ranks([0.5, 0.1, 0.5, 0.9]).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    given = np.asarray(values, dtype=np.float64)
    if not np.isfinite(given).all():
        return np.full(given.shape, np.nan)
    _, place, counts = np.unique(given, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[place].reshape(given.shape)
