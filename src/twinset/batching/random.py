"""Random batches: every epoch in a new random order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, kw_only=True)
class Random:
    """`drop_last` leaves out a last batch that is not full (unless it is the only one)."""

    drop_last: bool = False

    def batches(
        self, *, ids: Tensor, size: int, generator: torch.Generator, vectors: Callable[[], Tensor]
    ) -> list[Tensor]:
        return portions(torch.randperm(ids.shape[1], generator=generator), size, drop_last=self.drop_last)


def portions(order: Tensor, size: int, *, drop_last: bool) -> list[Tensor]:
    """An order cut into batches. A last text that would meet nobody joins the batch before."""
    batches = list(order.split(size))
    if len(batches) > 1 and len(batches[-1]) == 1 < size and not drop_last:
        batches[-2:] = [torch.cat(batches[-2:])]
    if drop_last and len(batches) > 1 and len(batches[-1]) < size:
        batches.pop()
    return batches
