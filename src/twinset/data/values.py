"""From raw columns to texts, numbers and classes; a value that will not do is an error that says where."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

import numpy as np
import pyarrow as pa

from twinset.data.arrow import compute as pc
from twinset.data.groups import Groups
from twinset.data.labels import label_order
from twinset.data.raw import Raw
from twinset.data.texts import Texts
from twinset.errors import DataError

MOST_SHOWN = 12


def texts_of(raw: Raw) -> tuple[Texts, ...]:
    """Give the text columns."""
    return tuple(Texts(text_column(raw, field)) for field in raw.chosen.texts)


def text_column(raw: Raw, field: str) -> pa.ChunkedArray:
    """Give one column as large strings; null values and NUL bytes are refused."""
    column = _strings(raw, field)
    _refuse_null(raw, field, column)
    nul = _first(pc.match_substring(column, "\0"))
    if nul is not None:
        raise DataError(
            f"{raw.at(nul)}: {field!r} holds a NUL byte; this is no text (perhaps UTF-16: say "
            "encoding='utf-16')"
        )
    return column


def numbers_of(raw: Raw, field: str) -> np.ndarray:
    """Give a column of finite numbers: (n,) float64."""
    column = raw.table[field]
    _refuse_null(raw, field, column)
    if _is_text(column.type):
        numbers = _parsed(raw, field, column.cast(pa.large_string()))
    elif (
        pa.types.is_integer(column.type)
        or pa.types.is_floating(column.type)
        or pa.types.is_decimal(column.type)
    ):
        numbers = np.array(column.cast(pa.float64()), dtype=np.float64)
    else:
        raise DataError(f"{raw.name}: {field!r} holds {column.type}, not numbers")
    finite = np.isfinite(numbers)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        raise DataError(
            f"{raw.at(row)}: {field!r} is {numbers[row]}, not a finite number; give it a value or "
            "leave the row out"
        )
    return numbers


def labels_of(raw: Raw, field: str, allowed: Sequence[str] | None) -> tuple[np.ndarray, tuple[str, ...]]:
    """Give a column of classes, (n,) int64, and their names: `allowed`, or those that occur."""
    column = raw.table[field]
    if pa.types.is_floating(column.type):
        column = _whole(raw, field, column)
    column = pc.utf8_trim_whitespace(_strings(raw, field, column))
    _refuse_null(raw, field, column)
    groups = Groups.of(column)
    names = tuple(str(name) for name in allowed) if allowed is not None else label_order(groups.names)
    place = {name: position for position, name in enumerate(names)}
    ids = np.array([place.get(name, -1) if name else -1 for name in groups.names], np.int64)[groups.ids]
    if ids.size and ids.min() < 0:
        row = int(np.flatnonzero(ids < 0)[0])
        near = get_close_matches(groups[row], names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "; correct it, or name all labels: labels=(...)"
        shown = ", ".join(repr(name) for name in names[:MOST_SHOWN])
        raise DataError(f"{raw.at(row)}: {field!r} is {groups[row]!r}, none of the labels ({shown}){hint}")
    return ids, names


def groups_of(raw: Raw) -> Groups | None:
    """Give the group of every row, when a column of groups was chosen."""
    field = raw.chosen.groups
    if field is None:
        return None
    column = _strings(raw, field)
    _refuse_null(raw, field, column)
    return Groups.of(column)


def without_blank(raw: Raw) -> Raw:
    """Leave out rows with a text that is empty or only white space, and note how many."""
    blank = np.zeros(len(raw.numbers), dtype=bool)
    for field in raw.chosen.texts:
        trimmed = pc.utf8_trim_whitespace(text_column(raw, field))
        blank |= np.asarray(pc.equal(pc.binary_length(trimmed), 0))
    if not blank.any():
        return raw
    first, count = int(np.flatnonzero(blank)[0]), int(blank.sum())
    what = (
        "blank lines"
        if raw.unit == "line" and len(raw.chosen.every) == 1
        else f"{raw.unit}s with an empty text"
    )
    note = f"{raw.name}: {count:,} {what} left out (the first: {raw.unit} {raw.numbers[first]})"
    return raw.keep(np.flatnonzero(~blank), note)


def matching(raw: Raw, field: str, wanted: str | Collection[str]) -> Raw:
    """Keep the rows whose `field` is one of `wanted`, regardless of case."""
    values = {str(value).strip().lower() for value in ([wanted] if isinstance(wanted, str) else wanted)}
    column = pc.fill_null(_strings(raw, field), "")
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(column))
    rows = np.flatnonzero(np.asarray(pc.is_in(plain, pa.array(sorted(values), pa.large_string()))))
    if not len(rows):
        present = pc.unique(column).to_pylist()
        shown = ", ".join(repr(value) for value in present[:MOST_SHOWN]) + (
            ", ..." if len(present) > MOST_SHOWN else ""
        )
        raise DataError(
            f"{raw.name}: no row has {field!r} = {' or '.join(sorted(values))}; it takes the values {shown}"
        )
    return raw.keep(rows)


def _is_text(kind: pa.DataType) -> bool:
    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(inner) or pa.types.is_large_string(inner) or pa.types.is_string_view(inner)


def _strings(raw: Raw, field: str, column: pa.ChunkedArray | None = None) -> pa.ChunkedArray:
    """Give a column as large strings; whole numbers and booleans may be a class or a group, but no text."""
    given = raw.table[field] if column is None else column
    simple = pa.types.is_integer(given.type) or pa.types.is_boolean(given.type)
    allowed = (
        _is_text(given.type) or pa.types.is_null(given.type) or (simple and field not in raw.chosen.texts)
    )
    if not allowed:
        raise DataError(
            f"{raw.name}: column {field!r} holds {given.type}, not texts; name another column with "
            "columns=(...)"
        )
    return given.cast(pa.large_string())


def _refuse_null(raw: Raw, field: str, column: pa.ChunkedArray) -> None:
    if column.null_count:
        row = _first(column.is_null())
        raise DataError(
            f"{raw.at(row or 0)}: {field!r} is missing (null); give it a value or leave the row out"
        )


def _first(mask: pa.ChunkedArray) -> int | None:
    found = int(pc.index(mask, True).as_py())
    return found if found >= 0 else None


def _whole(raw: Raw, field: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Take 1.0 for 1: a table with a missing value keeps its whole numbers as floats."""
    _refuse_null(raw, field, column)
    values = np.asarray(column)
    broken = np.flatnonzero(~np.isfinite(values) | (values != np.round(values)))
    if broken.size:
        row = int(broken[0])
        raise DataError(
            f"{raw.at(row)}: {field!r} is {values[row]}, no class; graded values are read with "
            "read_scored_pairs"
        )
    return column.cast(pa.int64())


def _parsed(raw: Raw, field: str, column: pa.ChunkedArray) -> np.ndarray:
    try:
        return np.array(column.cast(pa.float64()), dtype=np.float64)
    except pa.ArrowInvalid:
        pass  # blanks around a number, or no number: look at each
    numbers = np.empty(len(column), np.float64)
    for row, text in enumerate(column):
        word = str(text.as_py()).strip()
        try:
            numbers[row] = float("no" if "_" in word else word)
        except ValueError as error:
            hint = " (the decimal sign is a point)" if "," in word else ""
            raise DataError(
                f"{raw.at(row)}: {field!r} is {word[:60]!r}, not a number{hint}; correct it or leave "
                "the row out"
            ) from error
    return numbers
