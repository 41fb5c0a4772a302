"""Smooth inverse frequency: common words count less, and what all texts share is taken away.

    v(s) = 1 / |s| sum_{w in s} a / (a + p(w)) x(w),   then   v(s) - U U^T v(s)

p(w): the share of w among the words of the fitted texts; U (d, components): the first right singular vectors
of the fitted texts' v, which are not centred. A word that they do not have weighs 1. Arora et al. 2017.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from twinset.errors import RequestError
from twinset.settings import check_settings


@dataclass(frozen=True, kw_only=True)
class Sif:
    """a: the smaller, the less common words count. components: how many directions are taken away."""

    a: float = 1e-3
    components: int = 1

    def __post_init__(self) -> None:
        check_settings(self)
        if not self.a > 0:
            raise RequestError(f"a: {self.a} is not above 0")
        if self.components < 0:
            raise RequestError(f"components: {self.components} is below 0")

    def weights(self, texts: Iterable[Sequence[Hashable]]) -> dict[Hashable, float]:
        """A / (a + p(w)) of every word of these texts."""
        counts = Counter(word for words in texts for word in words)
        total = counts.total()
        return {word: self.a / (self.a + count / total) for word, count in counts.items()}

    def shared(self, vectors: np.ndarray) -> np.ndarray:
        """U (d, components) of vectors (n, d)."""
        size = vectors.shape[1]
        if self.components > min(vectors.shape):
            raise RequestError(
                f"components: {self.components} directions cannot be taken from {len(vectors):,} texts "
                f"of {size} dimensions"
            )
        precise = vectors.astype(np.float64)
        _, directions = np.linalg.eigh(precise.T @ precise)
        return directions[:, ::-1][:, : self.components]
