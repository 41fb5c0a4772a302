"""What may follow the pooling: dense layers and scaling to unit length, as sentence-transformers has them."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn


class Dense(nn.Module):
    """activation(W x + b), (n, in) to (n, out)."""

    def __init__(self, linear: nn.Linear, activation: nn.Module) -> None:
        super().__init__()
        self.linear = linear
        self.activation = activation

    def forward(self, vectors: Tensor) -> Tensor:
        return self.activation(self.linear(vectors))


class UnitLength(nn.Module):
    """x / |x| before a dense layer. After the last one it is the encoder's `normalize`."""

    def forward(self, vectors: Tensor) -> Tensor:
        return F.normalize(vectors, dim=-1)
