"""Vectors with a column for each word, as arrays; folded into fewer columns where that is asked for.

    y = x P,   P[i, rank(i) mod k] = +1 or -1 (drawn),   so  E[y . y'] = x . x'

rank(i): the place of word i among all words, the most frequent first. The k most frequent words are dealt to
one column each, so that two words that are often met in one text seldom share one; of short texts, most dot
products come out exactly. The signs make the others right on average. Charikar et al. 2002 (count sketch),
Weinberger et al. 2009 (feature hashing); dealing by frequency is ours.
"""

from __future__ import annotations

from typing import Any, cast, final

import numpy as np
from scipy import sparse

from twinset.errors import RequestError

LARGEST = 4 * 2**30
"""Bytes of an array that are not made without being asked for twice."""


def named(name: str, folding: Folding, fitted_on: str | None) -> str:
    """A ranking's name, with what must be known of it."""
    columns = f", {folding.columns:,} columns" if folding.folded else ""
    return name + columns + (f" (fitted on {fitted_on})" if fitted_on else "")


@final
class Folding:
    """frequency (words,): how many documents have each word. columns: k; None, or as many as there are
    words, keeps each word's own."""

    def __init__(self, frequency: np.ndarray, columns: int | None, *, seed: int) -> None:
        if columns is not None and columns < 1:
            raise RequestError(f"columns: {columns} is not above 0; leave it out for one column a word")
        words = len(frequency)
        self.columns = words if columns is None else min(columns, words)
        self.folded = self.columns < words
        self._matrix: Any = None
        if self.folded:
            rank = np.argsort(np.argsort(-frequency, kind="stable"), kind="stable")
            signs = np.random.default_rng(seed).choice(np.array([-1.0, 1.0]), words)
            places = (np.arange(words), rank % self.columns)
            self._matrix = sparse.csr_matrix((signs, places), shape=(words, self.columns))

    def dense(self, weights: sparse.csr_matrix) -> np.ndarray:
        """(n, words) sparse to (n, k) float32."""
        rows = int(cast("Any", weights).shape[0])
        size = 4 * rows * self.columns
        if size > LARGEST:
            raise RequestError(
                f"{rows:,} texts with a column for each of {self.columns:,} words take "
                f"{size / 2**30:.0f} GiB: encode fewer at once, or ask for columns=4096"
            )
        found = weights @ self._matrix if self.folded else weights
        return found.astype(np.float32).toarray()
