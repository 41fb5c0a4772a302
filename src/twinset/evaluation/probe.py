"""A linear classifier on frozen vectors: what can be read off them with a straight line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRENGTHS = tuple(4.0**power for power in range(-1, 5))
"""C of the logistic regression, for vectors of length 1 on average: from hardly anything learned to hardly
anything held back."""

STEPS = 1000


class Scaling:
    """Vectors minus the mean of the training vectors, over their mean length: then a C means the same for
    every encoder."""

    def __init__(self, vectors: np.ndarray) -> None:
        self._centre = vectors.mean(axis=0)
        length = float(np.linalg.norm(vectors - self._centre, axis=1).mean())
        self._length = length if length > 0 else 1.0

    def __call__(self, vectors: np.ndarray) -> np.ndarray:
        return (vectors - self._centre) / self._length


def fit_predict(
    vectors: np.ndarray, labels: np.ndarray, others: np.ndarray, strength: float
) -> NDArray[np.int64]:
    """Learn classes (n,) from vectors (n, d), and say those of others (m, d): (m,)."""
    if (labels == labels[0]).all():
        return np.full(len(others), labels[0], dtype=np.int64)
    from sklearn.linear_model import LogisticRegression  # slow to import, and only transfer needs it

    scaled = Scaling(vectors)
    model: Any = LogisticRegression(C=strength, max_iter=STEPS)
    model.fit(scaled(vectors), labels)
    return np.asarray(model.predict(scaled(others)), dtype=np.int64)


def best_strength(
    vectors: np.ndarray,
    labels: np.ndarray,
    parts: Sequence[tuple[np.ndarray, np.ndarray]],
    strengths: Sequence[float] = STRENGTHS,
) -> float:
    """The C that is most often right on the second rows of `parts`, learned on the first; of equally good
    ones the smallest."""
    if len(strengths) == 1:
        return strengths[0]
    right = [
        sum(
            int((fit_predict(vectors[one], labels[one], vectors[other], strength) == labels[other]).sum())
            for one, other in parts
        )
        for strength in strengths
    ]
    return strengths[int(np.argmax(right))]


def folds(labels: np.ndarray, count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows to learn from and rows to judge by, `count` times; every row is judged once, and every fold has
    its share of each class."""
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(len(labels))
    # By class, then dealt out like cards.
    dealt = shuffled[np.argsort(labels[shuffled], kind="stable")]
    fold = np.empty(len(labels), dtype=np.int64)
    fold[dealt] = np.arange(len(labels)) % count
    return [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(count)]
