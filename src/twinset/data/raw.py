"""What a reader has before it looks at the values: the chosen columns, and where every row came from."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from twinset.data.request import Chosen
from twinset.data.texts import CHUNK
from twinset.errors import DataError


@dataclass(frozen=True, kw_only=True)
class Raw:
    """The chosen columns of one source, as they stand there.

    `numbers` (n,) int64 are the line (or row) numbers, counted from 1, that messages speak of.
    """

    name: str
    unit: str
    chosen: Chosen
    table: pa.Table
    numbers: np.ndarray
    notes: tuple[str, ...] = ()

    def at(self, row: int) -> str:
        """Name the place of a row: `tickets.csv, line 17`."""
        return f"{self.name}, {self.unit} {self.numbers[row]}"

    def keep(self, rows: np.ndarray, note: str | None = None) -> Raw:
        """Keep some rows, with a note on why."""
        table, numbers = self.table.take(pa.array(rows)), self.numbers[rows]
        return replace(self, table=table, numbers=numbers, notes=(*self.notes, *([note] if note else [])))


class Collector:
    """Gathers rows of strings into Arrow columns, `CHUNK` rows at a time."""

    def __init__(self, name: str, unit: str, chosen: Chosen) -> None:
        self.name, self.unit, self.chosen = name, unit, chosen
        self.notes: list[str] = []
        self._names = chosen.every
        self._pending: list[Sequence[object]] = []
        self._numbers = array("q")
        self._chunks: list[pa.RecordBatch] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, values: Sequence[object], number: int) -> None:
        """Add a row: one value for each of `chosen.every`."""
        self._pending.append(values)
        self._numbers.append(number)
        if len(self._pending) == CHUNK:
            self._flush()

    def finish(self) -> Raw:
        """Hand over what was gathered."""
        self._flush()
        schema = pa.schema([(name, pa.large_string()) for name in self._names])
        return Raw(
            name=self.name,
            unit=self.unit,
            chosen=self.chosen,
            table=pa.Table.from_batches(self._chunks, schema=schema),
            numbers=np.asarray(self._numbers, dtype=np.int64),
            notes=tuple(self.notes),
        )

    def _flush(self) -> None:
        if not self._pending:
            return
        columns = [self._array(position) for position in range(len(self._names))]
        self._chunks.append(pa.RecordBatch.from_arrays(columns, names=list(self._names)))
        self._pending.clear()

    def _array(self, position: int) -> pa.Array:
        field = self._names[position]
        values = [row[position] for row in self._pending]
        first = len(self._numbers) - len(values)
        for offset, value in enumerate(values):
            if value is not None and not isinstance(value, str):
                place = f"{self.name}, {self.unit} {self._numbers[first + offset]}"
                raise DataError(
                    f"{place}: {field!r} is a {type(value).__name__}, not a text: {str(value)[:60]}"
                )
        try:
            return pa.array(values, type=pa.large_string())
        except UnicodeEncodeError as error:
            offset = next(i for i, value in enumerate(values) if value is not None and not _sound(str(value)))
            place = f"{self.name}, {self.unit} {self._numbers[first + offset]}"
            raise DataError(
                f"{place}: {field!r} holds half a character (a lone surrogate); repair or drop that text"
            ) from error


def _sound(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
