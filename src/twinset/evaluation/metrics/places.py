"""Where a query's relevant items stand: all that a metric of rankings needs to know.

Of equal scores the less relevant items are taken to stand in front: who cannot tell them apart has not found
any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from twinset.errors import RequestError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Unjudged = Literal["wrong", "unknown"]
"""What an item is taken for that nobody judged: `wrong`, or `unknown` and left out of the ranking before
ranks are counted (the condensed list of Sakai 2007)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Places:
    """ranks (r,) float64 from 1, ascending, infinite where an item was not found; gains (r,) float64 > 0."""

    ranks: np.ndarray
    gains: np.ndarray

    def __post_init__(self) -> None:
        if not len(self.ranks):
            raise RequestError("a ranking without any relevant item has no score; leave the query out")


def places(scores: ArrayLike, relevance: ArrayLike, *, unjudged: Unjudged = "wrong") -> Places:
    """Find the relevant items' ranks.

    scores (n,), the best highest; relevance (n,): relevant above 0, "not a number" where nobody judged.

    >>> places([0.9, 0.5, 0.7, 0.1], [0, 1, 0, 2]).ranks.tolist()
    [3.0, 4.0]
    """
    values, judged = np.asarray(scores, dtype=np.float64), np.asarray(relevance, dtype=np.float64)
    if values.ndim != 1 or values.shape != judged.shape:
        raise RequestError(
            "a ranking needs one score and one judgement an item; "
            f"the shapes are {values.shape} and {judged.shape}"
        )
    if np.isnan(values).any():
        raise RequestError("a ranking needs numbers; some of its scores are none")
    if unjudged == "unknown":
        known = ~np.isnan(judged)
        values, judged = values[known], judged[known]
    gains = np.maximum(np.nan_to_num(judged, nan=0.0), 0.0)
    ordered = gains[np.lexsort((gains, -values))]
    found = np.flatnonzero(ordered > 0)
    return Places(ranks=found + 1.0, gains=ordered[found])


def within(found: Places, k: int | None) -> np.ndarray:
    """Which of the relevant items stand among the first k, (r,) bool; k None: which were found at all."""
    if k is None:
        return np.isfinite(found.ranks)
    if k < 1:
        raise RequestError(f"a ranking is cut after k items; k is {k}, and must be 1 or more")
    return found.ranks <= k
