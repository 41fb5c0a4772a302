"""A short name for what was judged: equal where texts and judgements are, whatever was predicted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

LENGTH = 16
"""Hexadecimal digits: enough for items never to be taken for others by chance."""


def fingerprint(kind: str, texts: Sequence[Iterable[str]], judgements: Sequence[np.ndarray]) -> str:
    """Hash the kind of a task, columns of texts and arrays of judgements; their order counts."""
    digest = hashlib.sha256(kind.encode())
    for column in texts:
        digest.update(b"column")
        for text in column:
            content = text.encode()
            digest.update(len(content).to_bytes(8, "little"))
            digest.update(content)
    for values in judgements:
        digest.update(f"values {values.shape}".encode())
        digest.update(np.ascontiguousarray(values, dtype="<f8").tobytes())
    return digest.hexdigest()[:LENGTH]
