"""Normalised discounted cumulative gain: graded relevance, worth less the further down it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.metrics.places import Places, Unjudged, places, within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Gain = Literal["linear", "exponential"]
"""linear: the relevance itself, as trec_eval, ir-measures and BEIR have it. exponential: 2^relevance - 1, as
Burges et al. 2005. Equal where relevance is 0 or 1."""


def ndcg(
    scores: ArrayLike,
    relevance: ArrayLike,
    k: int | None = None,
    *,
    gain: Gain = "linear",
    unjudged: Unjudged = "wrong",
) -> float:
    """nDCG@k = DCG@k / (DCG@k of the best order), DCG@k = sum over the first k of gain / log2(1 + rank).

    scores (n,), the best highest; relevance (n,), above 0 for one at least. Järvelin and Kekäläinen 2002.

    >>> round(ndcg([3, 2, 1], [1, 0, 2]), 4)  # (1 + 2/2) / (2 + 1/log2(3))
    0.7602
    """
    return ndcg_of(places(scores, relevance, unjudged=unjudged), k, gain)


def ndcg_of(found: Places, k: int | None = None, gain: Gain = "linear") -> float:
    """The same of places."""
    if gain not in ("linear", "exponential"):
        raise RequestError(f"nDCG: gain {gain!r} is none of linear, exponential")
    gains = found.gains if gain == "linear" else np.exp2(found.gains) - 1
    reached = np.where(within(found, k), gains / np.log2(1 + found.ranks), 0.0)
    best = np.sort(gains)[::-1][:k]
    return float(reached.sum() / (best / np.log2(np.arange(2, len(best) + 2))).sum())
