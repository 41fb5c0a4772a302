"""Splitting data into sides: at random, by group, or so that connected texts stay on one side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from twinset.data.components import row_components
from twinset.data.groups import Groups
from twinset.errors import DataError, RequestError

if TYPE_CHECKING:
    from twinset.data.dataset import By, Dataset

D = TypeVar("D", bound="Dataset")

WHAT = {"group": "group", "component": "component of connected texts"}


def split(
    data: D,
    by: By = "random",
    sizes: Sequence[float] = (0.8, 0.1, 0.1),
    *,
    seed: int = 0,
    groups: Groups | Sequence[object] | np.ndarray | None = None,
) -> tuple[D, ...]:
    """Split `data` into `len(sizes)` sides that share no row; rows keep their order within a side.

    by="random": rows fall where chance puts them; the sizes are met to the row.
    by="group": rows of one group stay together; `groups` (n values) or the data's own groups.
    by="component": rows that share a text, directly or through other rows, stay together, so that no
    text of one side is on another.
    `sizes` are shares that sum to 1. The same seed gives the same sides.
    """
    targets = _targets(sizes, len(data))
    rng = np.random.default_rng(seed)
    if by == "random":
        blocks = np.arange(len(data))
    elif by == "group":
        blocks = _group_ids(data, groups)
    elif by == "component":
        blocks = row_components(data.columns)
    else:
        raise RequestError(f"split: by={by!r} is none of 'random', 'group', 'component'")
    side_of_row = _assign(blocks, targets, by, data, rng)[blocks] if len(data) else blocks
    sides = [np.flatnonzero(side_of_row == side) for side in range(len(targets))]
    _refuse_empty(sides, targets, blocks, by)
    return tuple(data.take(rows) for rows in sides)


def _targets(sizes: Sequence[float], rows: int) -> np.ndarray:
    """Turn shares into whole numbers of rows that sum to `rows`, each within one of its share."""
    shares = np.asarray(sizes, dtype=np.float64)
    if shares.ndim != 1 or not shares.size or (shares <= 0).any() or abs(shares.sum() - 1) > 1e-6:
        raise RequestError(
            f"split: sizes={tuple(sizes)} must be shares above 0 that sum to 1, such as (0.8, 0.1, 0.1)"
        )
    return np.diff(np.round(np.cumsum(shares) * rows), prepend=0).astype(np.int64)


def _group_ids(data: Dataset, groups: Groups | Sequence[object] | np.ndarray | None) -> np.ndarray:
    given = data.groups if groups is None else groups
    if given is None:
        raise RequestError(
            "split: by='group' needs groups=, a value for every row; this data has no groups of its own"
        )
    if len(given) != len(data):
        raise RequestError(f"split: groups has {len(given)} values for {len(data)} rows")
    if isinstance(given, Groups):
        return given.ids
    return np.unique(np.asarray(given), return_inverse=True)[1].reshape(-1)


def _assign(
    blocks: np.ndarray, targets: np.ndarray, by: str, data: Dataset, rng: np.random.Generator
) -> np.ndarray:
    """Give every block of rows a side: (number of blocks,).

    Blocks of several rows go first, the largest before the smaller; each falls on a side that still has
    room for it, with chance in proportion to the room (always taking the roomiest would put every large
    component on the largest side). Where it fits nowhere, it goes to the roomiest. Single rows then fill
    what is left, so sizes are met exactly when there are enough of them.
    """
    counts = np.bincount(blocks)
    _refuse_too_large(counts, targets, blocks, by, data)
    side = np.empty(len(counts), np.int64)
    room = targets.copy()
    several = rng.permutation(np.flatnonzero(counts > 1))
    several = several[np.argsort(-counts[several], kind="stable")]
    for block, chance in zip(several, rng.random(len(several)), strict=True):
        count = counts[block]
        weights = np.where(room >= count, room, 0).cumsum()
        fits = weights[-1] > 0
        chosen = (
            int(np.searchsorted(weights, chance * weights[-1], side="right")) if fits else int(room.argmax())
        )
        side[block] = chosen
        room[chosen] -= count
    singles = rng.permutation(np.flatnonzero(counts == 1))
    side[singles] = _fill(room, len(singles))
    return side


def _fill(room: np.ndarray, count: int) -> np.ndarray:
    """Say which side each of `count` single rows falls on: first what the sides lack, at most."""
    lacking = np.maximum(room, 0)
    while lacking.sum() > count:  # another side was overfilled: the roomiest go without
        lacking[lacking.argmax()] -= 1
    return np.repeat(np.arange(len(room)), lacking)


def _refuse_too_large(
    counts: np.ndarray, targets: np.ndarray, blocks: np.ndarray, by: str, data: Dataset
) -> None:
    largest = int(counts.argmax())
    if counts[largest] <= targets.max() or by == "random":
        return
    row = int(np.flatnonzero(blocks == largest)[0])
    raise DataError(
        f"split: the largest {WHAT[by]} has {counts[largest]:,} of {len(blocks):,} rows, more than the "
        "largest "
        f"side ({targets.max():,}); it cannot be kept on one side. It holds row {row + 1} "
        f"({data.columns[0][row][:60]!r}). Use other sizes, or take out the texts that join its rows"
    )


def _refuse_empty(sides: list[np.ndarray], targets: np.ndarray, blocks: np.ndarray, by: str) -> None:
    for number, rows in enumerate(sides, 1):
        if not len(rows):
            unit = "row" if by == "random" else WHAT[by]
            raise DataError(
                f"split: side {number} of {len(sides)} would be empty (it wants "
                f"{targets[number - 1]:,} rows): "
                f"{len(np.unique(blocks)):,} x {unit} in {len(blocks):,} rows; use fewer sides or more data"
            )
