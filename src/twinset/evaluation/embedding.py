"""Vectors for an evaluation: each distinct text of a role once, every pooling from one forward pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa

from twinset.data.texts import Texts, text_ids
from twinset.errors import RequestError
from twinset.evaluation.task import Column, Points

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

    def poolings(
        self, texts: Texts, names: Sequence[Pooling], /, **settings: str
    ) -> Mapping[Pooling, np.ndarray]: ...


@runtime_checkable
class Roles(Encodes, Protocol):
    """An encoder that puts another prompt before queries than before documents; if it pools in several ways,
    its `poolings` takes a `role`."""

    def encode_query(self, texts: Texts, /) -> np.ndarray: ...
    def encode_document(self, texts: Texts, /) -> np.ndarray: ...


@runtime_checkable
class Precise(Encodes, Protocol):
    """An encoder that can be told in which format to compute."""

    def with_precision(self, precision: Literal["fp32"], /) -> Encodes: ...


def distinct(columns: Sequence[Texts]) -> tuple[Texts, tuple[np.ndarray, ...]]:
    """Find the distinct texts of several columns, and each column as numbers (n,) into them."""
    together = pa.chunked_array([column.arrow for column in columns], type=pa.large_string())
    return Texts(together).unique(), text_ids(*columns)


def embed_columns(
    encoder: Encodes,
    columns: Sequence[Column],
    poolings: Sequence[Pooling] | None = None,
    progress: Progress | None = None,
) -> dict[str, list[Points]]:
    """Embed columns of texts, each distinct text of a role once: pooling -> one `Points` a column.

    Roles count where the encoder knows them (`encode_query`, `encode_document`); for any other, a text is
    the same text in every role.
    """
    knows = isinstance(encoder, Roles)
    roles = [column.role if knows else None for column in columns]
    asked = {role: [place for place, each in enumerate(roles) if each == role] for role in roles}
    texts = {role: distinct([columns[place].texts for place in places]) for role, places in asked.items()}
    total, done = sum(len(some) for some, _ in texts.values()), 0
    found: dict[str, dict[int, Points]] = {}
    for role, (some, ids) in texts.items():
        told = None if progress is None else _shifted(progress, done, total)
        for pooling, vectors in embed(encoder, some, poolings, told, role=role).items():
            points = [Points(vectors=vectors, ids=rows) for rows in ids]
            found.setdefault(pooling, {}).update(zip(asked[role], points, strict=True))
        done += len(some)
    return {pooling: [points[place] for place in sorted(points)] for pooling, points in found.items()}


def embed(
    encoder: Encodes,
    texts: Texts,
    poolings: Sequence[Pooling] | None = None,
    progress: Progress | None = None,
    *,
    role: str | None = None,
) -> dict[str, np.ndarray]:
    """Embed texts under each pooling named, or under the encoder's own: pooling -> (n, d).

    In single precision, whatever the encoder computes in by itself: scores are to be the same everywhere.
    """
    precise = encoder.with_precision("fp32") if isinstance(encoder, Precise) else encoder
    passes = _one_pass(precise, poolings, role)
    parts: dict[str, list[np.ndarray]] = {}
    for start in range(0, len(texts), CHUNK):
        chunk = texts[start : start + CHUNK]
        for name, vectors in passes(chunk).items():
            parts.setdefault(name, []).append(_checked(vectors, len(chunk), encoder))
        if progress is not None:
            progress(min(start + CHUNK, len(texts)), len(texts))
    return {name: np.concatenate(vectors) for name, vectors in parts.items()}


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _: progress(before + done, total)


def _one_pass(
    encoder: Encodes, poolings: Sequence[Pooling] | None, role: str | None
) -> Callable[[Texts], dict[str, np.ndarray]]:
    if poolings is None:
        own, encode = str(getattr(encoder, "pooling", "own")), _in_role(encoder, role)
        return lambda texts: {own: encode(texts)}
    names = tuple(dict.fromkeys(poolings))
    if not names:
        raise RequestError(
            "poolings: the list is empty; name at least one, or leave it out for the encoder's own"
        )
    if not isinstance(encoder, Pools):
        raise RequestError(
            f"poolings: {type(encoder).__name__} has one way to make a vector; leave poolings out"
        )
    pools, settings = encoder, {} if role is None else {"role": role}
    return lambda texts: {
        str(name): vectors for name, vectors in pools.poolings(texts, names, **settings).items()
    }


def _in_role(encoder: Encodes, role: str | None) -> Callable[[Texts], np.ndarray]:
    if role is None or not isinstance(encoder, Roles):
        return encoder.encode
    if role == "query":
        return encoder.encode_query
    if role == "document":
        return encoder.encode_document
    raise RequestError(f"role {role!r}: texts are scored as query, as document, or without a role")


def _checked(vectors: np.ndarray, count: int, encoder: object) -> np.ndarray:
    if vectors.ndim != 2 or len(vectors) != count:
        raise RequestError(
            f"{type(encoder).__name__}.encode gave an array of shape {vectors.shape} for {count} texts; "
            f"({count}, dimension) is expected"
        )
    return vectors
