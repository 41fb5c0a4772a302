"""AdamW with the usual groups, with or without Adam's bias correction.

    m = b1 m + (1-b1) g;   v = b2 v + (1-b2) g^2
    w -= lr ( m / (1-b1^t) ) / ( sqrt(v / (1-b2^t)) + eps )  + lr wd w       corrected (Kingma & Ba)
    w -= lr   m              / ( sqrt(v)              + eps )  + lr wd w       not corrected (BERT, ConSERT)

torch has the first only. The second is the first with lr' = lr (1-b1^t) / sqrt(1-b2^t),
eps' = eps / sqrt(1-b2^t) and wd' = wd lr / lr', so torch's fused kernel serves both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from twinset.errors import RecipeError


@dataclass(frozen=True, kw_only=True)
class AdamW:
    """Weight decay spares biases and normalisation layers, and the objective's own weights."""

    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.01
    bias_correction: bool = True

    def __post_init__(self) -> None:
        if not all(0 <= beta < 1 for beta in self.betas):
            raise RecipeError(f"optimizer.betas: {self.betas} are not both in [0, 1)")
        if self.eps <= 0 or self.weight_decay < 0:
            raise RecipeError("optimizer: eps must be above 0 and weight_decay at least 0")

    def build(
        self, model: nn.Module, weights: Mapping[str, Tensor], rates: tuple[float, float]
    ) -> torch.optim.AdamW:
        """The optimizer; `rates` are the encoder's learning rate and the objective's weights'."""
        decayed, spared = _by_decay(model)
        groups: list[dict[str, Any]] = [
            {"params": decayed, "base_lr": rates[0], "base_decay": self.weight_decay},
            {"params": spared, "base_lr": rates[0], "base_decay": 0.0},
            {"params": list(weights.values()), "base_lr": rates[1], "base_decay": 0.0},
        ]
        kept = [group for group in groups if group["params"]]
        return torch.optim.AdamW(kept, lr=rates[0], betas=self.betas, eps=self.eps, fused=True)

    def set_rates(self, optimizer: torch.optim.AdamW, factor: float, update: int) -> None:
        """Put this update's numbers into every group; `update` counts from 1."""
        first, second = (1 - beta**update for beta in self.betas)
        for group in optimizer.param_groups:
            rate = group["base_lr"] * factor
            if self.bias_correction:
                group["lr"], group["eps"], group["weight_decay"] = rate, self.eps, group["base_decay"]
            else:
                scale = first / math.sqrt(second)
                group["lr"] = rate * scale
                group["eps"] = self.eps / math.sqrt(second)
                group["weight_decay"] = group["base_decay"] / scale


def _by_decay(model: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """Parameters that decay, and those that do not: biases and one-dimensional gains."""
    trained: Iterable[nn.Parameter] = [p for p in model.parameters() if p.requires_grad]
    decayed = [parameter for parameter in trained if parameter.ndim >= 2]
    return decayed, [parameter for parameter in trained if parameter.ndim < 2]
