"""The learning rate over a run: up for a while, then down.

factor(t) = t / w                        for t < w   (warm-up over w updates)
          = (T - t) / (T - w)            linear
          = (1 + cos(pi (t-w)/(T-w)))/2  cosine
          = 1                            constant
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from twinset.errors import RecipeError
from twinset.settings import check_settings


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """`warmup`: a share of all updates when below 1, else a number of updates."""

    warmup: float = 0.1
    decay: Literal["linear", "cosine", "constant"] = "linear"

    def __post_init__(self) -> None:
        check_settings(self)
        if self.warmup < 0 or (self.warmup > 1 and self.warmup != int(self.warmup)):
            raise RecipeError(f"schedule.warmup: {self.warmup} is neither a share nor a number of updates")

    def factor(self, done: int, total: int) -> float:
        """What the learning rate is multiplied by in the update after `done` updates."""
        warmup = int(self.warmup * total) if self.warmup < 1 else int(self.warmup)
        if done < warmup:
            return done / warmup
        if self.decay == "constant":
            return 1.0
        share = (done - warmup) / max(1, total - warmup)
        return 1 - share if self.decay == "linear" else (1 + math.cos(math.pi * share)) / 2
