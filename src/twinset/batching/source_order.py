"""Batches in the order of the file: neighbours in the data meet (seed fact 64, "w/o shuffle")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from twinset.batching.random import portions


@dataclass(frozen=True, kw_only=True)
class SourceOrder:
    """The same batches every epoch. `drop_last` as in `Random`."""

    drop_last: bool = False

    def batches(
        self, *, ids: Tensor, size: int, generator: torch.Generator, vectors: Callable[[], Tensor]
    ) -> list[Tensor]:
        return portions(torch.arange(ids.shape[1]), size, drop_last=self.drop_last)
