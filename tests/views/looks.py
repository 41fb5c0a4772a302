"""Looks at texts of given lengths, for tests."""

from __future__ import annotations

import torch

from twinset.types import Batch, Look, Tokens

WIDTH = 10


def tokens(lengths: list[int], *, seed: int = 0) -> Tokens:
    """Random token ids from 10 to 99: words in every vocabulary of the tiny encoders, padded with 1."""
    draw = torch.Generator().manual_seed(seed)
    ids = torch.randint(10, 100, (len(lengths), max(lengths)), generator=draw)
    counts = torch.tensor(lengths)
    real = torch.arange(max(lengths)) < counts[:, None]
    return Tokens(input_ids=torch.where(real, ids, 1), lengths=counts)


def look(lengths: list[int], *, seed: int = 0) -> Look:
    return Look(tokens=tokens(lengths, seed=seed))


def batch(*lengths: list[int]) -> Batch:
    """A batch with one column for each list of lengths; all texts differ."""
    rows = len(lengths[0])
    ids = torch.arange(len(lengths) * rows).view(len(lengths), rows)
    columns = tuple(tokens(column, seed=number) for number, column in enumerate(lengths))
    return Batch(columns=columns, ids=ids, rows=torch.arange(rows))


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def evenly(counts: torch.Tensor, draws: int, chance: float) -> bool:
    """Every count lies within five standard deviations of draws x chance."""
    deviation = (draws * chance * (1 - chance)) ** 0.5
    return bool(((counts - draws * chance).abs() < 5 * deviation).all())
