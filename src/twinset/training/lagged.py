"""An older copy of the weights: one update old, or an exponential average.

    w' = average * w' + (1 - average) * w    before each update of w

average = 0 is the weights before the last update.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from twinset.errors import RecipeError


@dataclass(frozen=True, kw_only=True)
class Lagged:
    """Only kept where the objective asks for `Reference.LAGGED`."""

    average: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.average < 1:
            raise RecipeError(f"lagged.average: {self.average} is not in [0, 1)")

    @torch.no_grad()
    def follow(self, older: nn.Module, current: nn.Module) -> None:
        """Move the older weights towards the current ones."""
        for old, new in zip(older.parameters(), current.parameters(), strict=True):
            old.lerp_(new, 1 - self.average)
