"""BERT-whitening: vectors turned and stretched until their directions are uncorrelated and equally wide.

    y = (x - mu) W,   W = U_k diag(1 / sqrt(lambda)),   cov(x) = U diag(lambda) U^T

x (n, d) to y (n, k), the k widest directions; the mean of the fitted vectors is then 0 and their covariance
the identity. Cosines do not depend on whether the covariance divides by n or n - 1. Su et al. 2021.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

import numpy as np

from twinset.baselines.roles import encoded, in_fp32
from twinset.data.texts import Texts
from twinset.errors import RequestError
from twinset.evaluation.embedding import Encodes, Progress, embed


@final
class Whitening:
    """An encoder whose vectors are whitened as those of these texts would have to be.

    dimension: k; None keeps every direction in which the vectors vary. fitted_on: what texts these are, in
    words; if they are a test's own, that is transductive, and the name has to say so.
    """

    def __init__(
        self,
        encoder: Encodes,
        texts: Iterable[str],
        *,
        dimension: int | None = None,
        fitted_on: str | None = None,
        progress: Progress | None = None,
    ) -> None:
        column = Texts(texts).unique()
        if len(column) < 3:
            raise RequestError(f"whitening: {len(column)} distinct text(s) are too few; give more")
        self._encoder = in_fp32(encoder)
        (vectors,) = embed(encoder, column, progress=progress).values()
        self.mean, self.kernel = whiten(vectors, dimension)
        self.fitted_on = fitted_on or f"{len(column):,} texts"
        cut = "" if dimension is None else f" to {dimension}"
        self.name = (
            f"{getattr(encoder, 'name', type(encoder).__name__)}, whitened{cut} (fitted on {self.fitted_on})"
        )

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """(n, k) float32."""
        return self._whitened(encoded(self._encoder, texts, None))

    def encode_query(self, texts: Iterable[str]) -> np.ndarray:
        """(n, k), the encoder's vectors of queries."""
        return self._whitened(encoded(self._encoder, texts, "query"))

    def encode_document(self, texts: Iterable[str]) -> np.ndarray:
        """(n, k), the encoder's vectors of documents."""
        return self._whitened(encoded(self._encoder, texts, "document"))

    def _whitened(self, vectors: np.ndarray) -> np.ndarray:
        return ((vectors.astype(np.float64) - self.mean) @ self.kernel).astype(np.float32)


def whiten(vectors: np.ndarray, dimension: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Mu (d,) and W (d, k) of vectors (n, d), in float64."""
    precise = vectors.astype(np.float64)
    mean = precise.mean(axis=0)
    centred = precise - mean
    found, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    widths, directions = found[::-1], directions[:, ::-1]
    # Single-precision vectors have noise of this size in directions in which they do not vary.
    noise = widths[0] * max(precise.shape) * np.finfo(np.float32).eps ** 2
    rank = int((widths > noise).sum()) if widths[0] > 0 else 0
    wanted = rank if dimension is None else dimension
    if rank == 0:
        raise RequestError(f"whitening: the {len(vectors):,} vectors are all alike")
    if not 1 <= wanted <= rank:
        raise RequestError(
            f"whitening: dimension is {wanted}; {len(vectors):,} vectors vary in {rank}: ask for 1 to {rank}"
        )
    if wanted >= len(vectors) - 1:
        raise RequestError(
            f"whitening: {len(vectors):,} texts in {wanted} dimensions would all come to be equally far "
            "apart; give more texts, or ask for a smaller dimension"
        )
    return mean, directions[:, :wanted] / np.sqrt(widths[:wanted])
