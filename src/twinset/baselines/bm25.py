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

from twinset.baselines.folding import Folding, named
from twinset.baselines.words import Words
from twinset.errors import RequestError


@final
class BM25:
    """Documents to be ranked for queries, and an encoder; idf and mean length are those of the documents.

    A query is a vector of counts and a document one of weights: their dot product is the score, which is not
    the same both ways round. columns, fitted_on: see `TfIdf`.
    """

    def __init__(
        self,
        documents: Iterable[str],
        *,
        k1: float = 1.2,
        b: float = 0.75,
        columns: int | None = None,
        seed: int = 0,
        fitted_on: str | None = None,
    ) -> None:
        if k1 < 0 or not 0 <= b <= 1:
            raise RequestError(f"BM25: k1 is {k1} and b is {b}; k1 must not be below 0, and b in [0, 1]")
        self._k1, self._b = k1, b
        self._words = Words(documents)
        counts: Any = self._words.counts
        frequency = counts.getnnz(axis=0)
        self._rarity = np.log1p((counts.shape[0] - frequency + 0.5) / (frequency + 0.5))
        self._mean_length = counts.sum() / counts.shape[0]
        self._weights: Any = self._weigh(counts)
        self._folding = Folding(frequency, columns, seed=seed)
        self.name = named("BM25", self._folding, fitted_on)

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """(q, n); 0 where no word is shared."""
        return (self._words.count(queries) @ self._weights.T).toarray()

    def encode_query(self, texts: Iterable[str]) -> np.ndarray:
        """(n, words) float32: how often each query has each word."""
        return self._folding.dense(self._words.count(texts))

    def encode_document(self, texts: Iterable[str]) -> np.ndarray:
        """(n, words) float32: what each word of a document adds to a query that has it once."""
        return self._folding.dense(self._weigh(self._words.count(texts)))

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """`encode_document`, where no text is the query. The cosine of two of them is not BM25: it compares
        two documents by their weights, as TF-IDF does, with repetition and length weighed down."""
        return self.encode_document(texts)

    def _weigh(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        found: Any = sparse.coo_matrix(counts)
        lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
        norm = self._k1 * (1 - self._b + self._b * lengths / self._mean_length)
        weights = self._rarity[found.col] * found.data * (self._k1 + 1) / (found.data + norm[found.row])
        return sparse.csr_matrix((weights, (found.row, found.col)), shape=found.shape)
