"""Texts of a role through an encoder that may know roles, or may not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol, runtime_checkable

import numpy as np

from twinset.data.texts import Texts
from twinset.evaluation.embedding import Encodes, Precise

Role = Literal["query", "document"]


@runtime_checkable
class KnowsRoles(Encodes, Protocol):
    """An encoder to which queries and documents are different things."""

    def encode_query(self, texts: Texts, /) -> np.ndarray: ...

    def encode_document(self, texts: Texts, /) -> np.ndarray: ...


def encoded(encoder: Encodes, texts: Iterable[str], role: Role | None) -> np.ndarray:
    """(n, d) under the role; where the encoder knows none, as all texts."""
    column = Texts(texts)
    if role is None or not isinstance(encoder, KnowsRoles):
        return encoder.encode(column)
    return encoder.encode_query(column) if role == "query" else encoder.encode_document(column)


def in_fp32(encoder: Encodes) -> Encodes:
    """What is fitted to vectors is to be the same everywhere, as scores are."""
    return encoder.with_precision("fp32") if isinstance(encoder, Precise) else encoder
