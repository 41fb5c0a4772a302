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

from twinset.baselines.words import Words


@final
class TfIdf:
    """Documents to be ranked for queries; document frequencies are those of the documents."""

    def __init__(self, documents: Iterable[str], *, sublinear: bool = False) -> None:
        from sklearn.feature_extraction.text import TfidfTransformer

        self._words = Words(documents)
        self._weigh: Any = TfidfTransformer(sublinear_tf=sublinear).fit(self._words.counts)
        self._documents: Any = self._weigh.transform(self._words.counts)

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """(q, n) cosines of queries and documents; 0 where no word is shared."""
        return (self._weigh.transform(self._words.count(queries)) @ self._documents.T).toarray()
