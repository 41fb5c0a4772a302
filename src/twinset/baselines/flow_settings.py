"""What a flow is made of and how it learns.

Levels, depth, width, coupling, learning rate, decay, clipping, batch and epochs are those of Li et al. 2020's
own program, whose batch of 32 pairs is 64 texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from twinset.errors import RequestError
from twinset.settings import check_settings

CouplingKind = Literal["additive", "affine"]


@dataclass(frozen=True, kw_only=True)
class FlowSettings:
    """Settings of `BertFlow`; see `glow` for what levels, depth, width and coupling are."""

    levels: int = 3
    depth: int = 3
    width: int = 32
    coupling: CouplingKind = "additive"
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    clip: float = 1.0
    batch_size: int = 64
    epochs: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        check_settings(self)
        for name in ("levels", "depth", "width", "learning_rate", "clip", "epochs"):
            if not getattr(self, name) > 0:
                raise RequestError(f"{name}: {getattr(self, name)} is not above 0")
        if self.batch_size < 2:
            raise RequestError(f"batch_size: {self.batch_size}; a flow begins with the variance of a batch")
        if self.weight_decay < 0:
            raise RequestError(f"weight_decay: {self.weight_decay} is below 0")
