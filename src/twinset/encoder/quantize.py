"""Vectors in fewer bytes: eight bits a number, or one.

    int8    q = round(127 v / max_i |v_i|)          each vector by its own largest number
    binary  b_i = 1 if v_i > 0 else 0               eight of them in a byte

A vector's own scale leaves its direction, which is all that a cosine sees, so int8 needs no ranges from other
texts and no second file. Of binary vectors the cosine is that of the signs: 1 - 2 h / d, h bits of d unlike.
RESULTS.md says what each costs.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from twinset.errors import RequestError

Output = Literal["fp32", "int8", "binary"]
OUTPUTS: tuple[Output, ...] = get_args(Output)


def check_output(output: str) -> None:
    """That it is one of the three."""
    if output not in OUTPUTS:
        raise RequestError(f"output: {output!r} is none of {', '.join(OUTPUTS)}")


def quantized(vectors: NDArray[np.float32], output: Output) -> NDArray[Any]:
    """(n, d) float32 to (n, d) int8 or (n, ceil(d / 8)) uint8; fp32 is left as it is.

    >>> quantized(np.array([[0.5, -1.0, 0.0]], dtype=np.float32), "int8").tolist()
    [[64, -127, 0]]
    """
    check_output(output)
    if output == "fp32":
        return vectors
    if output == "binary":
        return np.packbits(vectors > 0, axis=-1)
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    scale = np.divide(127, largest, out=np.zeros_like(largest), where=largest > 0)
    return np.rint(vectors * scale).astype(np.int8)


def signs(packed: NDArray[np.uint8], dimension: int) -> NDArray[np.float32]:
    """Binary rows as (n, d) of -1 and 1: what their cosines are made of."""
    return np.unpackbits(packed, axis=-1, count=dimension).astype(np.float32) * 2 - 1
