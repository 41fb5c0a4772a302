"""Padding is waste: texts of like length go through the encoder together, under a token budget."""

from __future__ import annotations

import torch
from torch import Tensor


def cut(lengths: Tensor, budget: int | None, *, packed: bool = False) -> list[Tensor]:
    """Row indices in chunks, shortest texts first; each chunk's rows x longest row stays within the budget
    (one text longer than the budget is a chunk by itself). packed: its tokens do, padding is not counted;
    if all of them do, the rows stay as they are."""
    if budget is None or (packed and int(lengths.sum()) <= budget):
        return [torch.arange(len(lengths))]
    order = torch.argsort(lengths, stable=True)
    chunks: list[Tensor] = []
    start = total = 0
    sizes = lengths[order].tolist()
    for end, size in enumerate(sizes):
        full = total + size if packed else (end + 1 - start) * size
        if end > start and full > budget:
            chunks.append(order[start:end])
            start, total = end, 0
        total += size
    return [*chunks, order[start:]] if sizes else []
