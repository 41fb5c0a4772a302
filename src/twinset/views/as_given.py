"""Each column of the data is one view: pairs and triples as they come."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from twinset.types import Batch, Look


@dataclass(frozen=True, kw_only=True)
class AsGiven:
    """One unchanged look for each column."""

    def count(self, columns: int) -> int:
        return columns

    def __call__(self, batch: Batch, *, width: int, generator: torch.Generator) -> tuple[Look, ...]:
        return tuple(Look(tokens=tokens, column=column) for column, tokens in enumerate(batch.columns))
