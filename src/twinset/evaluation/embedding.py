"""Vectors for an evaluation: each distinct text once, every pooling from one forward pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa

from twinset.data.texts import Texts, text_ids
from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.encoder.pooling import Pooling

Progress = Callable[[int, int], None]
"""Told after each chunk how many texts are done, and of how many."""

CHUNK = 4096
"""Texts between two reports of progress: enough for the encoder to sort by length within."""


@runtime_checkable
class Encodes(Protocol):
    """Texts to vectors (n, d): all that an evaluation asks of an encoder or a baseline."""

    def encode(self, texts: Texts, /) -> np.ndarray: ...


@runtime_checkable
class Pools(Encodes, Protocol):
    """An encoder that can pool the same hidden states in several ways."""

    def poolings(self, texts: Texts, names: Sequence[Pooling], /) -> Mapping[Pooling, np.ndarray]: ...


@runtime_checkable
class Precise(Encodes, Protocol):
    """An encoder that can be told in which format to compute."""

    def with_precision(self, precision: Literal["fp32"], /) -> Encodes: ...


def distinct(columns: Sequence[Texts]) -> tuple[Texts, tuple[np.ndarray, ...]]:
    """Find the distinct texts of several columns, and each column as numbers (n,) into them."""
    together = pa.chunked_array([column.arrow for column in columns], type=pa.large_string())
    return Texts(together).unique(), text_ids(*columns)


def embed(
    encoder: Encodes,
    texts: Texts,
    poolings: Sequence[Pooling] | None = None,
    progress: Progress | None = None,
) -> dict[str, np.ndarray]:
    """Embed texts under each pooling named, or under the encoder's own: pooling -> (n, d).

    In single precision, whatever the encoder computes in by itself: scores are to be the same everywhere.
    """
    passes = _one_pass(encoder.with_precision("fp32") if isinstance(encoder, Precise) else encoder, poolings)
    parts: dict[str, list[np.ndarray]] = {}
    for start in range(0, len(texts), CHUNK):
        chunk = texts[start : start + CHUNK]
        for name, vectors in passes(chunk).items():
            parts.setdefault(name, []).append(_checked(vectors, len(chunk), encoder))
        if progress is not None:
            progress(min(start + CHUNK, len(texts)), len(texts))
    return {name: np.concatenate(vectors) for name, vectors in parts.items()}


def _one_pass(
    encoder: Encodes, poolings: Sequence[Pooling] | None
) -> Callable[[Texts], dict[str, np.ndarray]]:
    if poolings is None:
        own = str(getattr(encoder, "pooling", "own"))
        return lambda texts: {own: encoder.encode(texts)}
    names = tuple(dict.fromkeys(poolings))
    if not names:
        raise RequestError(
            "poolings: the list is empty; name at least one, or leave it out for the encoder's own"
        )
    if not isinstance(encoder, Pools):
        raise RequestError(
            f"poolings: {type(encoder).__name__} has one way to make a vector; leave poolings out"
        )
    pools = encoder
    return lambda texts: {str(name): vectors for name, vectors in pools.poolings(texts, names).items()}


def _checked(vectors: np.ndarray, count: int, encoder: object) -> np.ndarray:
    if vectors.ndim != 2 or len(vectors) != count:
        raise RequestError(
            f"{type(encoder).__name__}.encode gave an array of shape {vectors.shape} for {count} texts; "
            f"({count}, dimension) is expected"
        )
    return vectors
