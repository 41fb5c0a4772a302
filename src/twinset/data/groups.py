"""A name for every row - its subset, its topic, its thread - kept as one number a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from twinset.data.texts import Texts, positions
from twinset.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Groups:
    """Which group each row belongs to: `ids` (n,) int64 into `names`."""

    ids: np.ndarray
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.ids.size and not 0 <= self.ids.min() <= self.ids.max() < len(self.names):
            raise DataError(
                f"groups: ids run from {self.ids.min()} to {self.ids.max()}, names from 0 to "
                f"{len(self.names) - 1}"
            )

    @classmethod
    def of(cls, values: Iterable[str] | pa.ChunkedArray) -> Groups:
        """Group rows by their value; names in order of first occurrence."""
        column = Texts(values)
        return cls(column.ids(), tuple(column.unique()))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> str:
        return self.names[int(self.ids[row])]

    def __iter__(self) -> Iterator[str]:
        return (self.names[int(i)] for i in self.ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Groups):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.ids, other.ids)

    __hash__ = None  # type: ignore[assignment]  # holds an array

    def rows(self, name: str) -> np.ndarray:
        """Rows of one group: (k,) int64, ascending."""
        if name not in self.names:
            raise DataError(f"groups: no {name!r} among {', '.join(self.names)}")
        return np.flatnonzero(self.ids == self.names.index(name))

    def items(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each group's name and rows."""
        return ((name, self.rows(name)) for name in self.names)

    def take(self, indices: np.ndarray) -> Groups:
        """Keep the rows at `indices`; names that no row has any more are dropped."""
        ids = self.ids[positions(indices, len(self))]
        kept, again = np.unique(ids, return_inverse=True)
        return Groups(again.astype(np.int64).reshape(-1), tuple(self.names[int(i)] for i in kept))
