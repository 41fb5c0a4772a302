"""TF-IDF: texts are alike if they share rare words.

    w(t, d) = tf(t, d) * ( ln( (1 + N) / (1 + df(t)) ) + 1 ),   score(q, d) = cos(w(q), w(d))

N documents, df(t) of which have the word t; with `sublinear`, 1 + ln tf instead of tf. Salton and Buckley
1988, as scikit-learn has it.

>>> TfIdf(["the cat", "the dog"]).scores(["a cat"]).round(3).tolist()
[[0.815, 0.0]]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, final

import numpy as np

from twinset.baselines.folding import Folding, named
from twinset.baselines.words import Words


@final
class TfIdf:
    """Documents to be ranked for queries, and an encoder; document frequencies are those of the documents.

    columns: `encode` gives a column for each word of the documents; with this, so many in all (see
    `folding`), and cosines are near the scores in place of equal to them. fitted_on: what the documents are,
    for the name.
    """

    def __init__(
        self,
        documents: Iterable[str],
        *,
        sublinear: bool = False,
        columns: int | None = None,
        seed: int = 0,
        fitted_on: str | None = None,
    ) -> None:
        from sklearn.feature_extraction.text import TfidfTransformer

        self._words = Words(documents)
        self._weigh: Any = TfidfTransformer(sublinear_tf=sublinear).fit(self._words.counts)
        self._documents: Any = self._weigh.transform(self._words.counts)
        self._folding = Folding(self._words.counts.getnnz(axis=0), columns, seed=seed)
        self.name = named("TF-IDF", self._folding, fitted_on)

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """(q, n) cosines of queries and documents; 0 where no word is shared."""
        return (self._weigh.transform(self._words.count(queries)) @ self._documents.T).toarray()

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """(n, words) float32, of length 1, so that the cosine is the score; zeros where no word is known."""
        return self._folding.dense(self._weigh.transform(self._words.count(texts)))
