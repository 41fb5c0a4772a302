"""How often texts have which words: what both lexical rankings start from.

A word is a run of two or more letters, digits and underscores, in lower case, as scikit-learn's vectorisers
have it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, final

from twinset.data.texts import Texts
from twinset.errors import RequestError

if TYPE_CHECKING:
    from scipy import sparse


@final
class Words:
    """counts: (n, words) of the documents. Words that no document has are not counted in queries."""

    def __init__(self, documents: Iterable[str]) -> None:
        from sklearn.feature_extraction.text import CountVectorizer

        self._counter: Any = CountVectorizer()
        kept = list(Texts(documents))
        try:
            self.counts: sparse.csr_matrix = self._counter.fit_transform(kept)
        except ValueError as error:
            raise RequestError(
                f"a ranking by words: there is none of two letters or more in {len(kept)} document(s)"
            ) from error

    def count(self, texts: Iterable[str]) -> sparse.csr_matrix:
        """(n, words) of other texts."""
        return self._counter.transform(Texts(texts))
