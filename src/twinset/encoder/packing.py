"""Short texts laid side by side into rows of one width, so that nearly no place is padding.

    texts   aaaa      rows   aaaabb
            bb               ccccc.
            ccccc

Who attends to whom does not change: a mask lets every text see itself alone (block diagonal), and its
positions start anew. Best fit, longest first: each text goes where it leaves the least room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from twinset.types import moved

NARROWEST = 64
"""Rows are at least so wide. Wider ones waste on attention more than they save on padding."""

WORTH_IT = 0.9
"""Texts are packed where that leaves at most this share of the places that padding them would take."""


@dataclass(frozen=True, kw_only=True)
class Packing:
    """n texts padded to L, laid into r rows of b places.

    taken (r, b): which place of the padded texts, laid end to end, stands here (0 where none does). given
    (n, L): where in the rows, laid end to end, this place went (0 for padding). texts (r, b): whose place
    this is (-1: nobody's); positions (r, b): which of its places, from 0. real (n, L): no padding.
    """

    taken: Tensor
    given: Tensor
    texts: Tensor
    positions: Tensor
    real: Tensor

    def lay(self, values: Tensor) -> Tensor:
        """(n, L, ...) to (r, b, ...); where no text stands: zero, or false."""
        return cast("Tensor", _Move.apply(values, self.taken, self.texts >= 0, self.given, self.real))

    def back(self, values: Tensor) -> Tensor:
        """(r, b, ...) to (n, L, ...); padding: zero, or false."""
        return cast("Tensor", _Move.apply(values, self.given, self.real, self.taken, self.texts >= 0))

    def of_texts(self, values: Tensor) -> Tensor:
        """(n, ...), one for each text, to (r, b, ...), one for each of its places."""
        return values[self.texts.clamp(min=0)]

    def blocks(self, window: int | None = None) -> Tensor:
        """(r, 1, b, b) bool: the query's text is the key's, and (where there is a window) it is near."""
        same = self.texts[:, :, None] == self.texts[:, None, :]
        if window is not None:
            places = torch.arange(self.texts.shape[1], device=same.device)
            same = same & ((places[:, None] - places[None, :]).abs() <= window)
        return same[:, None]

    def ordered(self, order: Tensor) -> Packing:
        """The same rows, where place p of text i holds its token order[i, p]: `back` brings tokens home."""
        longest = order.shape[1]
        given = torch.zeros_like(self.given).scatter_(1, order, self.given)
        text = self.texts.clamp(min=0)
        own = order[text, self.positions]
        taken = torch.where(self.texts >= 0, text * longest + own, 0)
        return replace(self, taken=taken, given=given)

    def to(self, device: torch.device) -> Packing:
        """The same on another device."""
        return Packing(**{name: moved(value, device) for name, value in vars(self).items()})


def pack(lengths: Sequence[int], longest: int) -> Packing | None:
    """Lay texts of these lengths, padded to `longest`, into rows; None where it is not worth it."""
    width = max(NARROWEST, *lengths)
    rows, starts, count = _best_fit(lengths, width)
    if count * width > WORTH_IT * len(lengths) * longest:
        return None
    sizes = np.asarray(lengths)
    text = np.repeat(np.arange(len(sizes)), sizes)
    own = np.arange(len(text)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    there = rows[text] * width + starts[text] + own
    here = text * longest + own
    return Packing(
        taken=_put(there, here, (count, width)),
        given=_put(here, there, (len(sizes), longest)),
        texts=_put(there, text, (count, width), empty=-1),
        positions=_put(there, own, (count, width)),
        real=_put(here, np.ones_like(here), (len(sizes), longest)).bool(),
    )


def _put(
    places: np.ndarray[Any, Any], values: np.ndarray[Any, Any], shape: tuple[int, int], *, empty: int = 0
) -> Tensor:
    flat = np.full(shape[0] * shape[1], empty, dtype=np.int64)
    flat[places] = values
    return torch.from_numpy(flat).view(shape)


def _best_fit(lengths: Sequence[int], width: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], int]:
    """Row and start of every text, and the number of rows: each into the fullest row that has room for it."""
    rows, starts = np.zeros(len(lengths), dtype=np.int64), np.zeros(len(lengths), dtype=np.int64)
    roomy: list[list[int]] = [[] for _ in range(width + 1)]  # rows by the room they have left
    count = 0
    for text in sorted(range(len(lengths)), key=lambda text: -lengths[text]):
        need = lengths[text]
        room = next((room for room in range(need, width + 1) if roomy[room]), None)
        if room is None:
            row, room, count = count, width, count + 1
        else:
            row = roomy[room].pop()
        rows[text], starts[text] = row, width - room
        roomy[room - need].append(row)
    return rows, starts, count


def put_back(states: Tensor, order: Tensor) -> Tensor:
    """States (n, L, ...) of permuted tokens (place p of text i holds token order[i, p]) to the tokens' own
    places."""
    rows = torch.arange(len(order), device=order.device)[:, None] * order.shape[1]
    return cast("Tensor", _Move.apply(states, rows + order.argsort(dim=1), None, rows + order, None))


class _Move(torch.autograd.Function):
    """Places moved one to one. Its gradient is the move back: a gather, where autograd would add up."""

    @staticmethod
    def forward(
        ctx: Any,  # noqa: ANN401
        values: Tensor,
        there: Tensor,
        filled: Tensor | None,
        back: Tensor,
        real: Tensor | None,
    ) -> Tensor:
        ctx.back, ctx.real = back, real
        return _gathered(values, there, filled)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        return _gathered(gradients[0], ctx.back, ctx.real), None, None, None, None


def _gathered(values: Tensor, places: Tensor, filled: Tensor | None) -> Tensor:
    flat = values.reshape(-1, *values.shape[2:]).index_select(0, places.flatten())
    found = flat.view(*places.shape, *values.shape[2:])
    if filled is None:
        return found
    return found * filled.view(*filled.shape, *(1,) * (found.ndim - 2)).to(found.dtype)
