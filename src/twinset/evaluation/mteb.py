"""An encoder as the benchmark MTEB wants it, so that `mteb.evaluate` can run it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, final

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.embedding import Encodes, Roles
from twinset.evaluation.metrics import cosine

NAMESPACE = "twinset"
"""MTEB's names have two parts."""


@final
class ForMteb:
    """Wraps an encoder. Queries and documents are encoded in their roles, everything else without one.

    import mteb
    from twinset.evaluation import ForMteb
    mteb.evaluate(ForMteb(encoder), mteb.get_tasks(tasks=["STSBenchmark"]))

    revision: what the results are filed under; another for other weights.
    """

    def __init__(self, encoder: Encodes, revision: str = "main", *, name: str | None = None) -> None:
        self._encoder = encoder
        self._revision = revision
        given = str(getattr(encoder, "name", type(encoder).__name__)) if name is None else name
        self._name = re.sub(r"[^\w.-]+", "-", given.rstrip("/")).strip("-") or "encoder"

    def encode(
        self, inputs: Iterable[Mapping[str, Any]], *, prompt_type: object = None, **settings: object
    ) -> np.ndarray:
        """Vectors (n, d) of batches of texts. prompt_type: query, document or nothing."""
        texts = [str(text) for batch in inputs for text in batch["text"]]
        role = None if prompt_type is None else str(getattr(prompt_type, "value", prompt_type))
        if role not in (None, "query", "document"):
            raise RequestError(f"MTEB: prompt type {role!r} is neither query nor document")
        if role is None or not isinstance(self._encoder, Roles):
            return self._encoder.encode(texts)  # type: ignore[arg-type]  # an encoder takes any texts
        encode = self._encoder.encode_query if role == "query" else self._encoder.encode_document
        return encode(texts)  # type: ignore[arg-type]

    def similarity(self, embeddings1: np.ndarray, embeddings2: np.ndarray) -> np.ndarray:
        """Cosines of all rows with all rows: (n, m)."""
        first, second = (_unit(np.atleast_2d(np.asarray(each))) for each in (embeddings1, embeddings2))
        return first @ second.T

    def similarity_pairwise(self, embeddings1: np.ndarray, embeddings2: np.ndarray) -> np.ndarray:
        """Cosines row by row: (n,)."""
        return cosine(np.atleast_2d(np.asarray(embeddings1)), np.atleast_2d(np.asarray(embeddings2)))

    @property
    def mteb_model_meta(self) -> object:
        """The name and revision under which MTEB files its results."""
        models: Any = importlib.import_module("mteb.models")
        facts = {"name": f"{NAMESPACE}/{self._name}", "revision": self._revision}
        return models.ModelMeta.create_empty(overwrites=facts)


def _unit(vectors: np.ndarray) -> np.ndarray:
    precise = vectors.astype(np.float64)
    lengths = np.linalg.norm(precise, axis=1, keepdims=True)
    return np.divide(precise, lengths, out=np.zeros_like(precise), where=lengths != 0)
