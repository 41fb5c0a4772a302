"""Dropout twice (seed fact 1): the same text through the encoder two times, under two dropout masks.

SimCSE, Gao et al. 2021; the identical twins of IFCL. Needs the encoder's dropout on.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from twinset.types import Batch, Look
from twinset.views.pair import Pair
from twinset.views.unchanged import Unchanged


@dataclass(frozen=True, kw_only=True)
class DropoutTwice:
    """Two unchanged looks."""

    def count(self, columns: int) -> int:
        return 2 * columns

    def __call__(self, batch: Batch, *, width: int, generator: torch.Generator) -> tuple[Look, ...]:
        return Pair(Unchanged(), Unchanged())(batch, width=width, generator=generator)
