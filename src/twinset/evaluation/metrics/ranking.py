"""How good an order is: where the first right item stands, and where all of them do.

Of equal scores the wrong items are taken to stand in front: who cannot tell them apart has not found any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twinset.errors import RequestError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def reciprocal_rank(scores: ArrayLike, relevant: ArrayLike) -> float:
    """1 / rank of the first relevant item; its mean over queries is the MRR.

    scores (n,), the best highest; relevant (n,) bool, true for one at least.

    >>> reciprocal_rank([0.9, 0.5, 0.7, 0.1], [False, True, False, True])
    0.3333333333333333
    """
    return 1.0 / float(_ranks(scores, relevant)[0])


def average_precision(scores: ArrayLike, relevant: ArrayLike) -> float:
    """AP = 1/R sum_r r / rank of the r-th relevant item; its mean over queries is the MAP.

    scores (n,), the best highest; relevant (n,) bool, true for R >= 1.

    >>> average_precision([0.9, 0.5, 0.7, 0.1], [False, True, False, True])  # (1/3 + 2/4) / 2
    0.41666666666666663
    """
    ranks = _ranks(scores, relevant)
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks))


def _ranks(scores: ArrayLike, relevant: ArrayLike) -> np.ndarray:
    """The ranks from 1 of the relevant items, ascending."""
    values, right = np.asarray(scores, dtype=np.float64), np.asarray(relevant, dtype=bool)
    if values.ndim != 1 or values.shape != right.shape:
        raise RequestError(
            "a ranking needs one score and one judgement an item; "
            f"the shapes are {values.shape} and {right.shape}"
        )
    if not right.any():
        raise RequestError("a ranking without any relevant item has no score; leave the query out")
    if np.isnan(values).any():
        raise RequestError("a ranking needs numbers; some of its scores are none")
    order = np.lexsort((right, -values))
    return np.flatnonzero(right[order]) + 1
