"""Texts that say (nearly) the same: docstrings are copied between modules and packages.

Two texts are near duplicates if they share at least half of their word pairs:

    J(a, b) = |P(a) & P(b)| / |P(a) | P(b)| >= 1/2,   P = the pairs of neighbouring words, ends included

>>> alike = Known(["Return the mean of the array."])
>>> alike.holds(["return the mean of this array", "Return a copy.", ""]).tolist()
[True, False, False]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import final

import numpy as np
from scipy import sparse

LEAST = 0.5
_WORDS = re.compile(r"[^\W_]+")
_CHUNK = 512


def normalised(text: str) -> str:
    """Words in lower case, without punctuation: what decides whether two texts are equal."""
    return " ".join(_WORDS.findall(text.lower()))


@final
class Known:
    """Texts to be compared with. A text without any word is nobody's duplicate."""

    def __init__(self, texts: Sequence[str]) -> None:
        kept = sorted({normalised(text) for text in texts} - {""})
        self._columns: dict[tuple[str, str], int] = {}
        for text in kept:
            for pair in _pairs(text):
                self._columns.setdefault(pair, len(self._columns))
        rows = self._matrix(kept)
        self._sizes = np.asarray(rows.sum(axis=1)).ravel()
        self._transposed = rows.T.tocsr()

    def holds(self, texts: Sequence[str]) -> np.ndarray:
        """(n,) bool: whether each text is one of these, or nearly."""
        found = np.zeros(len(texts), dtype=bool)
        for start in range(0, len(texts), _CHUNK):
            chunk = [normalised(text) for text in texts[start : start + _CHUNK]]
            found[start : start + len(chunk)] = self._near(chunk)
        return found

    def _near(self, texts: list[str]) -> np.ndarray:
        near = np.zeros(len(texts), dtype=bool)
        shared = (self._matrix(texts) @ self._transposed).tocoo()
        sizes = np.array([len(_pairs(text)) for text in texts])
        union = sizes[shared.row] + self._sizes[shared.col] - shared.data
        near[shared.row[shared.data >= LEAST * union]] = True
        return near

    def _matrix(self, texts: Sequence[str]) -> sparse.csr_matrix:
        """(n, pairs of words) of ones, for the pairs that are known."""
        columns = [
            [self._columns[pair] for pair in sorted(_pairs(text)) if pair in self._columns] for text in texts
        ]
        ends = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
        flat = np.array([column for row in columns for column in row], dtype=np.int64)
        shape = (len(texts), max(1, len(self._columns)))
        return sparse.csr_matrix((np.ones(len(flat), dtype=np.int32), flat, ends), shape=shape)


def _pairs(text: str) -> set[tuple[str, str]]:
    words = ["", *text.split(), ""] if text else []
    return set(pairwise(words))
