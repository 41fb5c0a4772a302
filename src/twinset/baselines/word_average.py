"""The mean of a text's word vectors, which are the same wherever the word stands.

    v(s) = 1 / |s| sum_{w in s} weight(w) x(w)

Words without a vector are skipped and counted; a text without any word gets zeros. Weights are 1, or those of
`sif`.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
from scipy import sparse

from twinset.baselines.sif import Sif
from twinset.data.texts import Texts
from twinset.errors import RequestError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Split:
    """words: of each text, those that have a vector; unknown: how many had none."""

    words: Sequence[Sequence[Hashable]]
    unknown: int

    @property
    def known(self) -> int:
        """How many words have a vector, all texts together."""
        return sum(map(len, self.words))


class WordTable(Protocol):
    """Words and their vectors: an encoder's own (`InputWords`) or those of a file (`WordVectors`)."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def split(self, texts: Texts, /) -> Split: ...

    def vectors(self, words: Sequence[Any], /) -> np.ndarray: ...


@final
class WordAverage:
    """Texts as means of word vectors. texts: where `sif` takes its frequencies and directions from."""

    def __init__(
        self,
        table: WordTable,
        texts: Iterable[str] | None = None,
        *,
        sif: Sif | None = None,
        fitted_on: str | None = None,
    ) -> None:
        self._table = table
        self._weights: Mapping[Hashable, float] = {}
        self._shared: np.ndarray | None = None
        self.name = table.name
        if sif is None:
            return
        column = Texts(() if texts is None else texts).unique()
        if not len(column):
            raise RequestError("sif: give the texts whose words are counted: WordAverage(table, texts, ...)")
        self.name = f"{table.name}, SIF (fitted on {fitted_on or f'{len(column):,} texts'})"
        split = table.split(column)
        self._weights = sif.weights(split.words)
        if sif.components:
            self._shared = sif.shared(self._means(split))

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d) float32."""
        split = self._table.split(Texts(texts))
        if split.unknown:
            found = split.known + split.unknown
            _log.warning("%s: %d of %d words have no vector and are skipped", self.name, split.unknown, found)
        means = self._means(split)
        if self._shared is not None:
            means -= means @ self._shared @ self._shared.T
        return means.astype(np.float32)

    def _means(self, split: Split) -> np.ndarray:
        """(n, d) float64."""
        every = [word for words in split.words for word in words]
        distinct = {word: place for place, word in enumerate(dict.fromkeys(every))}
        sizes = np.array([len(words) for words in split.words], dtype=np.int64)
        columns = np.array([distinct[word] for word in every], dtype=np.int64)
        weights = np.array([self._weights.get(word, 1.0) for word in distinct], dtype=np.float64)
        shape = (len(split.words), len(distinct))
        shares = np.repeat(1 / np.maximum(sizes, 1), sizes) * weights[columns]
        averaging = sparse.csr_matrix((shares, columns, np.concatenate([[0], np.cumsum(sizes)])), shape=shape)
        return np.asarray(averaging @ self._table.vectors(list(distinct)).astype(np.float64))
