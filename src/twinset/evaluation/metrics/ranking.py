"""How good an order is: where the first right item stands, and where all of them do.

Of equal scores the wrong items are taken to stand in front: who cannot tell them apart has not found any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twinset.evaluation.metrics.places import Places, Unjudged, places, within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def reciprocal_rank(
    scores: ArrayLike, relevant: ArrayLike, k: int | None = None, *, unjudged: Unjudged = "wrong"
) -> float:
    """1 / rank of the first relevant item, 0 if it stands behind k; its mean over queries is the MRR.

    scores (n,), the best highest; relevant (n,), above 0 for one at least.

    >>> reciprocal_rank([0.9, 0.5, 0.7, 0.1], [False, True, False, True])
    0.3333333333333333
    """
    return reciprocal_rank_of(places(scores, relevant, unjudged=unjudged), k)


def reciprocal_rank_of(found: Places, k: int | None = None) -> float:
    """The same of places."""
    return 1.0 / float(found.ranks[0]) if within(found, k)[0] else 0.0


def average_precision(
    scores: ArrayLike, relevant: ArrayLike, k: int | None = None, *, unjudged: Unjudged = "wrong"
) -> float:
    """AP = 1/R sum_r r / rank of the r-th relevant item, of those among the first k; its mean is the MAP.

    scores (n,), the best highest; relevant (n,), above 0 for R >= 1. With k it is still divided by R, as
    trec_eval's map_cut is.

    >>> average_precision([0.9, 0.5, 0.7, 0.1], [False, True, False, True])  # (1/3 + 2/4) / 2
    0.41666666666666663
    """
    return average_precision_of(places(scores, relevant, unjudged=unjudged), k)


def average_precision_of(found: Places, k: int | None = None) -> float:
    """The same of places."""
    precisions = np.arange(1, len(found.ranks) + 1) / found.ranks
    return float(np.mean(np.where(within(found, k), precisions, 0.0)))
