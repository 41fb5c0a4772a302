"""From hidden states to one vector per text.

`hidden` is a tuple of (n, L, d) tensors: entry 0 is the embedding layer's output, entry -1 the last layer's.
`mask` (n, L) is true on real tokens, special tokens included.

`static_last` is the mean of the embedding layer and the last layer: what papers up to 2021 called
first-last (their index 0 was the embedding layer); `first_last` takes the first transformer layer.
"""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Tensor

Pooling = Literal["cls", "mean", "max", "last", "first_last", "last_two", "static_last"]
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)

_LAYERS: dict[Pooling, tuple[int, ...]] = {
    "first_last": (1, -1),
    "last_two": (-1, -2),
    "static_last": (0, -1),
}


def layers_needed(pooling: Pooling) -> tuple[int, ...]:
    """Indices into `hidden` that a pooling reads."""
    return _LAYERS.get(pooling, (-1,))


def pool(pooling: Pooling, hidden: tuple[Tensor, ...], mask: Tensor) -> Tensor:
    """One vector per text, (n, d)."""
    if pooling == "cls":
        return hidden[-1][:, 0]
    if pooling == "last":
        positions = mask.sum(dim=1).clamp(min=1) - 1
        return hidden[-1][torch.arange(len(mask), device=mask.device), positions]
    if pooling == "max":
        return _maximum(hidden[-1], mask)
    means = [mean(hidden[layer], mask) for layer in layers_needed(pooling)]
    return means[0] if len(means) == 1 else torch.stack(means).mean(dim=0)


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean over real tokens, summed in single precision at least; a text without any gets zeros."""
    weights = mask.to(states.dtype)[:, :, None]
    precise = torch.promote_types(states.dtype, torch.float32)
    return (states * weights).sum(dim=1, dtype=precise) / mask.sum(dim=1, keepdim=True).clamp(min=1)


def _maximum(states: Tensor, mask: Tensor) -> Tensor:
    lowest = torch.finfo(states.dtype).min
    return states.masked_fill(~mask[:, :, None], lowest).amax(dim=1)
