"""The best of k runs, honestly: what choosing the best on dev gives on test, and what k buys.

Of n runs with dev scores d and test scores t, drawn k at a time without replacement, the run with the largest
d is taken. With the runs ordered by d, run i (from 1) is the best of a draw in

    C(i - 1, k - 1) of C(n, k) cases,

so both expectations are exact sums (for dev alone: Dodge et al. 2019, with replacement there). The largest t
itself is no score of anything: it was chosen on what it is scored on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from twinset.errors import RequestError


@dataclass(frozen=True, kw_only=True)
class BestOf:
    """Of k runs, the best on dev: what it has on dev, and what it has on test, on average."""

    k: int
    dev: float
    test: float


def best_of(dev: Sequence[float], test: Sequence[float], k: int) -> BestOf:
    """Expected scores of the run that is best on dev among k of these.

    >>> best_of([0.70, 0.72, 0.71], [0.60, 0.59, 0.64], 3)
    BestOf(k=3, dev=0.72, test=0.59)
    """
    chosen_by, scored = np.asarray(dev, dtype=np.float64), np.asarray(test, dtype=np.float64)
    if chosen_by.shape != scored.shape or chosen_by.ndim != 1:
        raise RequestError(f"best of k: {len(dev)} dev scores and {len(test)} test scores")
    n = len(chosen_by)
    if not 1 <= k <= n:
        raise RequestError(f"best of {k}: there are {n} run(s)")
    order = np.argsort(chosen_by, kind="stable")
    chances = np.array([comb(place, k - 1) for place in range(n)], dtype=np.float64) / comb(n, k)
    # Runs that tie on dev are taken by chance: each has the mean of their test scores.
    return BestOf(
        k=k,
        dev=float(chances @ chosen_by[order]),
        test=float(chances @ _tied_means(chosen_by[order], scored[order])),
    )


def _tied_means(by: np.ndarray, values: np.ndarray) -> np.ndarray:
    _, group = np.unique(by, return_inverse=True)
    return (np.bincount(group, weights=values) / np.bincount(group))[group]
