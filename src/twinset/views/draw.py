"""Random choices without replacement, row by row."""

from __future__ import annotations

import torch
from torch import Tensor

from twinset.errors import RecipeError


def checked_rate(rate: float, view: str) -> None:
    """A rate is a share: at least 0, below 1."""
    if not 0 <= rate < 1:
        raise RecipeError(f"{view}.rate: {rate} is not in [0, 1)")


def keep_all_but(count: Tensor, allowed: Tensor, generator: torch.Generator) -> Tensor:
    """(n, m) bool, false at count[i] places of row i, drawn evenly from those that `allowed` (n, m) marks."""
    draws = torch.rand(allowed.shape, generator=generator).masked_fill(~allowed, 2.0)
    ranks = draws.argsort(dim=1).argsort(dim=1)
    return ranks >= count[:, None]
