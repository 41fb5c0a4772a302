"""Pearson's product-moment correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twinset.errors import RequestError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    r"""How well y follows a straight line in x, from -1 to 1.

        r = sum_i (x_i - mean x)(y_i - mean y) / sqrt(sum_i (x_i - mean x)^2 * sum_i (y_i - mean y)^2)

    x, y (n,). Not a number where nothing can be said: fewer than two values, one of the two constant, or a
    value that is not finite.

    >>> round(pearson([1, 2, 3], [1, 2, 6]), 4)  # 5 / sqrt(2 * 14)
    0.9449
    """
    first, second = _vector(x, "x"), _vector(y, "y")
    if len(first) != len(second):
        raise RequestError(
            f"a correlation needs two vectors of one length; these have {len(first)} and {len(second)}"
        )
    if not (_varies(first) and _varies(second)):
        return float("nan")
    u, v = _direction(first), _direction(second)
    return float(np.clip(u @ v, -1.0, 1.0))


def _vector(values: ArrayLike, name: str) -> np.ndarray:
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise RequestError(f"a correlation needs vectors; {name} has shape {vector.shape}")
    return vector


def _varies(vector: np.ndarray) -> bool:
    # By its extremes, not its variance: a constant 0.1 has a variance of 1e-34 in floating point.
    return len(vector) > 1 and bool(np.isfinite(vector).all()) and bool(vector.min() < vector.max())


def _direction(vector: np.ndarray) -> np.ndarray:
    # Scaled before and after centring, so that neither sums overflow nor squares vanish.
    scaled = vector / np.abs(vector).max()
    deviations = scaled - scaled.mean()
    deviations /= np.abs(deviations).max()
    return deviations / np.linalg.norm(deviations)
