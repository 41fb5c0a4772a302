"""Padding is waste: texts of like length go through the encoder together, under a token budget."""

from __future__ import annotations

import torch
from torch import Tensor


def cut(lengths: Tensor, budget: int | None) -> list[Tensor]:
    """Row indices in chunks, shortest texts first; each chunk's rows x longest row stays within the budget
    (one text longer than the budget is a chunk by itself)."""
    if budget is None:
        return [torch.arange(len(lengths))]
    order = torch.argsort(lengths, stable=True)
    chunks: list[Tensor] = []
    start = 0
    sizes = lengths[order].tolist()
    for end in range(1, len(sizes) + 1):
        if end == len(sizes) or (end + 1 - start) * sizes[end] > budget:
            chunks.append(order[start:end])
            start = end
    return chunks
