"""Looks as data: cut out rows, put several on top of each other.

A step makes one tall look of all views of a batch, cuts it into chunks of texts of like length, and sends
those through the encoder. Who meets whom in the objective does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from twinset.types import Look, Tokens, moved

_PER_ROW = ("order", "keep_tokens", "keep_features", "keep_elements", "add")
_PER_TOKEN = ("order", "keep_tokens", "keep_elements", "add")


def take_rows(look: Look, rows: Tensor) -> Look:
    """The look at these rows only, without columns of padding that none of them needs."""
    lengths = look.tokens.lengths[rows]
    longest = max(int(lengths.max()), 1)
    tokens = Tokens(input_ids=look.tokens.input_ids[rows, :longest], lengths=lengths)
    changes: dict[str, Tensor] = {}
    for name in _PER_ROW:
        value: Tensor | None = getattr(look, name)
        if value is not None:
            changes[name] = value[rows, :longest] if name in _PER_TOKEN else value[rows]
    return replace(look, tokens=tokens, **changes)


def stack(looks: Sequence[Look]) -> Look:
    """Looks on top of each other, padded to the longest. Where one has a mask and another none, the other
    gets the mask that does nothing."""
    if len(looks) == 1:
        return looks[0]
    longest = max(look.tokens.input_ids.shape[1] for look in looks)
    tokens = Tokens(
        input_ids=torch.cat([_widen(look.tokens.input_ids, longest) for look in looks]),
        lengths=torch.cat([look.tokens.lengths for look in looks]),
    )
    stacked = Look(tokens=tokens)
    for name in _PER_ROW:
        values: list[Tensor | None] = [getattr(look, name) for look in looks]
        example = next((value for value in values if value is not None), None)
        if example is None:
            continue
        filled = [
            _neutral(name, look, longest, example) if value is None else _fit(name, value, longest)
            for look, value in zip(looks, values, strict=True)
        ]
        stacked = replace(stacked, **{name: torch.cat(filled)})
    return stacked


def _widen(values: Tensor, longest: int) -> Tensor:
    """Pad the token axis by repeating nothing: positions past a row's length are never looked at."""
    missing = longest - values.shape[1]
    if missing == 0:
        return values
    return torch.cat([values, values.new_zeros(values.shape[0], missing, *values.shape[2:])], dim=1)


def _fit(name: str, value: Tensor, longest: int) -> Tensor:
    if name not in _PER_TOKEN:
        return value
    if name == "order" and value.shape[1] < longest:
        tail = torch.arange(value.shape[1], longest, device=value.device)
        return torch.cat([value, tail.expand(len(value), -1)], dim=1)
    return _widen(value, longest)


def _neutral(name: str, look: Look, longest: int, example: Tensor) -> Tensor:
    rows, device = len(look), example.device
    if name == "order":
        return torch.arange(longest, device=device).expand(rows, longest)
    if name == "keep_features":
        return torch.ones(rows, example.shape[1], dtype=torch.bool, device=device)
    if name == "add":
        return example.new_zeros(rows, longest, example.shape[2])
    return torch.ones(rows, longest, *example.shape[2:], dtype=torch.bool, device=device)


def move(look: Look, device: torch.device) -> Look:
    """The same look on another device; see `twinset.types.moved`."""
    changes: dict[str, Tensor] = {}
    for name in _PER_ROW:
        value: Tensor | None = getattr(look, name)
        if value is not None:
            changes[name] = moved(value, device)
    return replace(look, tokens=look.tokens.to(device), **changes)
