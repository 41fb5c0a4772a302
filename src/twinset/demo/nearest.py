"""The nearest texts of a corpus, by comparing with all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from twinset.encoder import Encoder


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A text that was found: its row in the corpus from 0, and its cosine with the query."""

    row: int
    score: float
    text: str


@final
class Searched:
    """A corpus encoded once, to be asked many times."""

    def __init__(self, encoder: Encoder, texts: Sequence[str], *, progress: bool = False) -> None:
        self._encoder = encoder
        self._texts = texts
        self._vectors = encoder.encode(texts, role="document", normalize=True, progress=progress)

    def scores(self, query: str) -> NDArray[np.float32]:
        """(n,) cosines of the query with every text."""
        return self._vectors @ self._encoder.encode(query, role="query", normalize=True)

    def ranked(self, query: str) -> NDArray[np.int64]:
        """(n,) rows, the nearest first; of equals, the earlier."""
        return np.argsort(-self.scores(query), kind="stable")

    def nearest(self, query: str, k: int) -> list[Hit]:
        """The k nearest (all, where there are fewer)."""
        scores = self.scores(query)
        rows = np.argsort(-scores, kind="stable")[:k]
        return [Hit(row=int(row), score=float(scores[row]), text=self._texts[int(row)]) for row in rows]
