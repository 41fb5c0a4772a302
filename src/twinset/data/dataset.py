"""What every typed sequence of data has in common: all that batching and training need to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Protocol, Self, runtime_checkable

import numpy as np

from twinset.data.describe import describe
from twinset.data.groups import Groups
from twinset.data.split import split
from twinset.data.texts import Texts, positions
from twinset.errors import DataError

By = Literal["random", "group", "component"]


@runtime_checkable
class Dataset(Protocol):
    """Rows of one or more texts, with what is known of each row."""

    @property
    def columns(self) -> tuple[Texts, ...]: ...
    @property
    def roles(self) -> tuple[str | None, ...]: ...
    @property
    def labels(self) -> np.ndarray | None: ...
    @property
    def scores(self) -> np.ndarray | None: ...
    @property
    def groups(self) -> Groups | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def __len__(self) -> int: ...
    def take(self, indices: np.ndarray | Sequence[int]) -> Self: ...
    def split(
        self,
        by: By = "random",
        sizes: Sequence[float] = (0.8, 0.1, 0.1),
        *,
        seed: int = 0,
        groups: Sequence[object] | np.ndarray | None = None,
    ) -> tuple[Self, ...]: ...
    def describe(self) -> str: ...


@dataclass(frozen=True, eq=False, repr=False)
class Aligned:
    """Columns of equal length that are taken from, split and compared together. Abstract.

    `roles`: one a column ("query", "document" or none); the prompts they stand for are the encoder's.
    `groups`: a subset name for every row. `notes`: what the reader left out or took for granted.
    """

    unit: ClassVar[str] = "rows"
    text_fields: ClassVar[tuple[str, ...]] = ()

    roles: tuple[str | None, ...] = field(default=(), kw_only=True)
    groups: Groups | None = field(default=None, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        for name in self.text_fields:
            object.__setattr__(self, name, Texts(getattr(self, name)))
        width = len(self.text_fields)
        object.__setattr__(self, "roles", tuple(self.roles) or (None,) * width)
        if len(self.roles) != width:
            raise DataError(
                f"{type(self).__name__}: {len(self.roles)} roles for {width} columns "
                f"({', '.join(self.text_fields)})"
            )
        for name, value in self._aligned().items():
            if len(value) != len(self):
                raise DataError(
                    f"{type(self).__name__}: {name} has {len(value)} rows, "
                    f"{self.text_fields[0]} has {len(self)}"
                )

    def _aligned(self) -> dict[str, Texts | np.ndarray | Groups]:
        """Give every field that has one entry a row."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            name: value for name, value in values.items() if isinstance(value, (Texts, np.ndarray, Groups))
        }

    @property
    def columns(self) -> tuple[Texts, ...]:
        """The texts, one column a part of the row."""
        return tuple(getattr(self, name) for name in self.text_fields)

    def __len__(self) -> int:
        return len(getattr(self, self.text_fields[0]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Aligned) or type(self) is not type(other):
            return NotImplemented
        mine, theirs = self._aligned(), other._aligned()
        return (
            self.roles == other.roles
            and mine.keys() == theirs.keys()
            and all(_same(value, theirs[name]) for name, value in mine.items())
        )

    __hash__ = None  # type: ignore[assignment]  # equality compares contents

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.text_fields)
        return f"{type(self).__name__}({len(self):,} {self.unit}: {parts})"

    def take(self, indices: np.ndarray | Sequence[int]) -> Self:
        """Keep the rows at `indices` (whole numbers or a mask), in that order."""
        rows = positions(indices, len(self))
        return replace(self, **{name: _take(value, rows) for name, value in self._aligned().items()})

    def split(
        self,
        by: By = "random",
        sizes: Sequence[float] = (0.8, 0.1, 0.1),
        *,
        seed: int = 0,
        groups: Sequence[object] | np.ndarray | None = None,
    ) -> tuple[Self, ...]:
        """Split into sides; see `twinset.data.split`."""
        whole: Any = self  # labels and scores come with the final classes
        return split(whole, by=by, sizes=sizes, seed=seed, groups=groups)

    def describe(self) -> str:
        """Say in a few lines what this is: rows, texts, lengths, labels or scores, subsets, notes."""
        whole: Any = self
        return describe(whole)


class Unlabelled:
    """Rows without a class."""

    @property
    def labels(self) -> None:
        """No row has a class."""
        return


class Unscored:
    """Rows without a graded score."""

    @property
    def scores(self) -> None:
        """No row has a score."""
        return


def whole_numbers(values: object, name: str) -> np.ndarray:
    """Check that `values` are whole numbers, one a row: (n,) int64."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise DataError(
            f"{name}: whole numbers, one a row, are expected; got {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.int64)


def finite_numbers(values: object, name: str) -> np.ndarray:
    """Check that `values` are finite numbers, one a row: (n,) float64."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name}: numbers, one a row, are expected: {error}") from error
    if array.ndim != 1:
        raise DataError(f"{name}: numbers, one a row, are expected; got shape {array.shape}")
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array))[0])
        raise DataError(f"{name}: row {row + 1} is {array[row]}, not a finite number")
    return array


def _take(value: Texts | np.ndarray | Groups, rows: np.ndarray) -> Texts | np.ndarray | Groups:
    return value[rows] if isinstance(value, np.ndarray) else value.take(rows)


def _same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)
