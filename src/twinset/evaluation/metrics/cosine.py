"""Cosine similarity, row by row."""

from __future__ import annotations

import numpy as np

from twinset.errors import RequestError


def cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """cos(a_i, b_i) = a_i . b_i / (|a_i| |b_i|) of rows a, b (n, d): (n,) float64; 0 where a vector is zero.

    >>> cosine(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([[4.0, 3.0], [1.0, 1.0]])).tolist()
    [0.96, 0.0]
    """
    if a.shape != b.shape or a.ndim != 2:
        raise RequestError(f"cosine compares row by row; the shapes are {a.shape} and {b.shape}")
    first, second = a.astype(np.float64), b.astype(np.float64)
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    products = np.einsum("nd,nd->n", first, second)
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths != 0)
