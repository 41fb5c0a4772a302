"""Dropout whose masks cost little on a processor.

    y = x * keep / (1 - p),   keep_i = 1 with probability 1 - p, else 0

torch draws one random number for every element there, a tenth or more of a training step. Here one 64-bit
number makes four 16-bit ones, and the mask is made of them in place, without a boolean tensor on the way.
p is met to 1/65536. Like torch's, the draws come from the global generator, so `manual_seed` repeats them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast, final

import torch
from torch import Tensor, nn

_LEVELS = 1 << 16
_ONE_IN_BF16 = 0x3F80
_LOWEST, _HIGHEST = -(1 << 63), None


def drop(values: Tensor, rate: float) -> Tensor:
    """Some elements zero, the others larger by as much; the gradient goes through the same mask."""
    if not 0 < rate < 1:
        return values if rate == 0 else torch.zeros_like(values)
    draw = _keep_mask_of if torch.compiler.is_compiling() else _drawn
    return cast("Tensor", _Drop.apply(values, draw(values.detach(), rate), 1 / (1 - rate)))


def _drawn(values: Tensor, rate: float) -> Tensor:
    return keep_mask(values.shape, rate, values.dtype)


# For compiled code one operation that it cannot look into: it would stop at the drawing in place. Given the
# values themselves, it is neither moved before what makes them nor taken for the same as another's mask.
_keep_mask_of = torch.library.custom_op(
    "twinset::keep_mask", _drawn, mutates_args=(), tags=(torch.Tag.nondeterministic_seeded,)
)


@_keep_mask_of.register_fake
def _(values: Tensor, rate: float) -> Tensor:  # noqa: ARG001 - the operation's own arguments
    return torch.empty_like(values, memory_format=torch.contiguous_format)


def keep_mask(shape: torch.Size, rate: float, dtype: torch.dtype) -> Tensor:
    """1 where an element stays, 0 where it goes."""
    count = shape.numel()
    drawn = torch.empty((count + 3) // 4, dtype=torch.int64).random_(_LOWEST, _HIGHEST)
    levels = drawn.view(torch.int16)[:count]
    levels.ge_(round(rate * _LEVELS) - _LEVELS // 2)
    if dtype == torch.bfloat16:
        return levels.mul_(_ONE_IN_BF16).view(torch.bfloat16).view(shape)
    return levels.to(dtype).view(shape)


class _Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, keep: Tensor, scale: float) -> Tensor:  # noqa: ANN401
        ctx.save_for_backward(keep)
        ctx.scale = scale
        return torch.mul(values, keep).mul_(scale)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:  # noqa: ANN401
        (keep,) = ctx.saved_tensors
        return torch.mul(gradients[0], keep).mul_(ctx.scale), None, None


@final
class CheapDropout(nn.Dropout):
    """`nn.Dropout` for a processor."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        return drop(input, self.p) if self.training else input


def exchange(model: nn.Module, old: type[nn.Dropout], new: type[nn.Dropout]) -> None:
    """Every dropout of one kind by one of another, with its rate and mode."""
    for parent, name, found in list(_dropouts(model)):
        if type(found) is old:
            other = new(found.p)
            other.training = found.training
            setattr(parent, name, other)


def _dropouts(model: nn.Module) -> Iterator[tuple[nn.Module, str, nn.Dropout]]:
    for parent in model.modules():
        for name, child in parent.named_children():
            if isinstance(child, nn.Dropout):
                yield parent, name, child
