"""What is among the first k: precision, recall, and whether anything right is there at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twinset.evaluation.metrics.places import Places, Unjudged, places, within

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def precision_at(scores: ArrayLike, relevant: ArrayLike, k: int, *, unjudged: Unjudged = "wrong") -> float:
    """P@k = relevant items among the first k, divided by k, however many items there are.

    >>> precision_at([0.9, 0.5, 0.7, 0.1], [False, True, False, True], 3)
    0.3333333333333333
    """
    return precision_of(places(scores, relevant, unjudged=unjudged), k)


def precision_of(found: Places, k: int) -> float:
    """The same of places."""
    return float(within(found, k).sum()) / k


def recall_at(scores: ArrayLike, relevant: ArrayLike, k: int, *, unjudged: Unjudged = "wrong") -> float:
    """R@k = relevant items among the first k, divided by all relevant ones.

    >>> recall_at([0.9, 0.5, 0.7, 0.1], [False, True, False, True], 3)
    0.5
    """
    return recall_of(places(scores, relevant, unjudged=unjudged), k)


def recall_of(found: Places, k: int) -> float:
    """The same of places."""
    return float(within(found, k).mean())


def has_positive_at(scores: ArrayLike, relevant: ArrayLike, k: int, *, unjudged: Unjudged = "wrong") -> float:
    """HasPositive@k (also success, hit rate, accuracy@k): 1 if any of the first k is relevant, else 0.

    >>> has_positive_at([0.9, 0.5, 0.7, 0.1], [False, True, False, True], 2)
    0.0
    """
    return has_positive_of(places(scores, relevant, unjudged=unjudged), k)


def has_positive_of(found: Places, k: int) -> float:
    """The same of places."""
    return float(within(found, k).any())
