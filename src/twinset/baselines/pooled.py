"""A raw encoder under one of its poolings, and all of them from one pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, final, runtime_checkable

import numpy as np

from twinset.baselines.roles import Role, in_fp32
from twinset.data.texts import Texts
from twinset.errors import RequestError
from twinset.evaluation.embedding import Encodes, Progress, embed

if TYPE_CHECKING:
    from twinset.encoder.pooling import Pooling


@runtime_checkable
class PoolsByRole(Encodes, Protocol):
    """An encoder that can pool the same hidden states in several ways, queries and documents apart."""

    def poolings(
        self, texts: Texts, names: Sequence[Pooling], /, *, role: str | None = None
    ) -> Mapping[Pooling, np.ndarray]: ...


@final
class Pooled:
    """The encoder under this pooling.

    known: texts, their rows, and the rows: what they are under this pooling, not to be encoded again.
    """

    def __init__(
        self,
        encoder: Encodes,
        pooling: Pooling,
        *,
        known: tuple[Mapping[str, int], np.ndarray] | None = None,
    ) -> None:
        self._encoder = checked(in_fp32(encoder))
        self.pooling: Pooling = pooling
        self.name = f"{getattr(encoder, 'name', type(encoder).__name__)}, {pooling}"
        self._rows, self._vectors = known or ({}, np.zeros((0, 0), dtype=np.float32))

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d)."""
        column = Texts(texts)
        rows = [self._rows.get(text, -1) for text in column] if self._rows else [-1]
        return self._vectors[rows] if -1 not in rows else self._encoded(column, None)

    def encode_query(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d) with the prompt of queries."""
        return self._encoded(Texts(texts), "query")

    def encode_document(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d) with the prompt of documents."""
        return self._encoded(Texts(texts), "document")

    def _encoded(self, texts: Texts, role: Role | None) -> np.ndarray:
        return self._encoder.poolings(texts, (self.pooling,), role=role)[self.pooling]


def pooled(
    encoder: Encodes,
    names: Sequence[Pooling] | None = None,
    *,
    texts: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> tuple[Pooled, ...]:
    """The encoder under each of its poolings, or those named.

    With texts, these are encoded now, once for all poolings, and remembered.
    """
    from twinset.encoder.pooling import POOLINGS

    chosen = tuple(POOLINGS if names is None else dict.fromkeys(names))
    if texts is None:
        return tuple(Pooled(encoder, name) for name in chosen)
    column = Texts(texts).unique()
    vectors = embed(checked(encoder), column, chosen, progress)
    rows = {text: row for row, text in enumerate(column)}
    return tuple(Pooled(encoder, name, known=(rows, vectors[name])) for name in chosen)


def checked(encoder: Encodes) -> PoolsByRole:
    """The same encoder, if it has poolings."""
    if not isinstance(encoder, PoolsByRole):
        raise RequestError(f"{type(encoder).__name__} has one way to make a vector, and no poolings")
    return encoder
