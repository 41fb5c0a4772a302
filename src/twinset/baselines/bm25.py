"""BM25: words count more if they are rare, less the more often they come, and less in long documents.

    score(q, d) = sum_t qf(t) idf(t) tf(t, d) (k1 + 1) / ( tf(t, d) + k1 (1 - b + b |d| / mean |d|) )
    idf(t)      = ln( 1 + (N - df(t) + 1/2) / (df(t) + 1/2) )

qf(t), tf(t, d): how often query and document have the word; |d|: the document's words. Robertson and
Zaragoza 2009; idf as in Lucene, never negative.

>>> BM25(["the cat", "the dog"], b=0).scores(["a cat"]).round(3).tolist()  # ln(1 + 1.5 / 1.5)
[[0.693, 0.0]]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, final

import numpy as np
from scipy import sparse

from twinset.baselines.words import Words
from twinset.errors import RequestError


@final
class BM25:
    """Documents to be ranked for queries."""

    def __init__(self, documents: Iterable[str], *, k1: float = 1.2, b: float = 0.75) -> None:
        if k1 < 0 or not 0 <= b <= 1:
            raise RequestError(f"BM25: k1 is {k1} and b is {b}; k1 must not be below 0, and b in [0, 1]")
        self._words = Words(documents)
        counts: Any = sparse.coo_matrix(self._words.counts)
        lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
        frequency = np.bincount(counts.col, minlength=counts.shape[1])
        rarity = np.log1p((counts.shape[0] - frequency + 0.5) / (frequency + 0.5))
        norm = k1 * (1 - b + b * lengths / lengths.mean())
        weights = rarity[counts.col] * counts.data * (k1 + 1) / (counts.data + norm[counts.row])
        self._weights = sparse.csr_matrix((weights, (counts.row, counts.col)), shape=counts.shape)

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """(q, n); 0 where no word is shared."""
        return (self._words.count(queries) @ self._weights.T).toarray()
