"""Cosine similarity matrices, and which of their entries compare a text with itself."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import normalize

FORBIDDEN = float("-inf")


def cosine(first: Tensor, second: Tensor) -> Tensor:
    """(n, m) cosine similarities of the rows of (n, d) and (m, d), at least in single precision."""
    precise = torch.promote_types(first.dtype, torch.float32)
    return normalize(first.to(precise), dim=-1) @ normalize(second.to(precise), dim=-1).T


def same_text(anchors: Tensor, candidates: Tensor) -> Tensor:
    """(n, m) bool: equal ids. Off the positives' places these are false negatives.

    A queue's ids lie beside its vectors, a batch's where the data is: the answer is where the anchors are.
    """
    return anchors[:, None] == candidates.to(anchors.device)[None, :]
