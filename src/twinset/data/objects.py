"""Data that is in memory already: Arrow tables, pandas frames, Hugging Face datasets, plain lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from twinset.data.raw import Collector, Raw
from twinset.data.request import Request
from twinset.errors import DataError

Frame = Any
Series = Any
Dataset = Any
"""Of libraries that need not be installed."""

LIST = "the list given"


def is_from(source: object, package: str, name: str) -> bool:
    """Tell whether `source` is a `package`'s `name`, without importing the package."""
    return any(
        kind.__name__ == name and kind.__module__.partition(".")[0] == package
        for kind in type(source).__mro__
    )


def read_arrow(table: pa.Table, request: Request, name: str = "the table given") -> Raw:
    """Read an Arrow table."""
    chosen = request.choose(table.column_names, name)
    taken = table.select(list(chosen.every))
    numbers = np.arange(1, taken.num_rows + 1)
    return Raw(name=name, unit="row", chosen=chosen, table=taken, numbers=numbers)


def read_frame(frame: Frame, request: Request) -> Raw:
    """Read a pandas DataFrame; missing values are null, rows are counted from 1 whatever the index says."""
    name = "the DataFrame given"
    labels = list(frame.columns)
    present = [str(label) for label in labels]
    chosen = request.choose(present, name)
    columns = [_series(frame.iloc[:, present.index(column)], column, name) for column in chosen.every]
    table = pa.Table.from_arrays(columns, names=list(chosen.every))
    return Raw(name=name, unit="row", chosen=chosen, table=table, numbers=np.arange(1, len(frame) + 1))


def _series(series: Series, column: str, name: str) -> pa.Array | pa.ChunkedArray:
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, UnicodeEncodeError) as error:
        kinds = {type(value) for value in series.dropna()}
        shown = ", ".join(sorted(kind.__name__ for kind in kinds))
        row = next((i for i, value in enumerate(series, 1) if not isinstance(value, str)), 1)
        raise DataError(
            f"{name}, row {row}: {column!r} mixes values of {shown} ({error}); make them all texts"
        ) from error


def read_dataset(dataset: Dataset, request: Request) -> Raw:
    """Read a Hugging Face Dataset; class labels become their names."""
    name = "the Dataset given"
    chosen = request.choose(list(dataset.column_names), name)
    table: pa.Table = dataset.select_columns(list(chosen.every)).with_format("arrow")[:]
    table = table.select(list(chosen.every))
    classes = getattr(dataset.features.get(chosen.value), "names", None)
    if chosen.value and classes:
        values = table[chosen.value].to_numpy()
        words = pa.array([classes[int(value)] if value >= 0 else None for value in values], pa.large_string())
        table = table.set_column(table.column_names.index(chosen.value), chosen.value, words)
    return Raw(name=name, unit="row", chosen=chosen, table=table, numbers=np.arange(1, table.num_rows + 1))


def read_items(items: Iterable[object], request: Request) -> Raw:
    """Read texts, tuples of fields, or dicts with named fields, from any iterable."""
    iterator = iter(items)
    first = next(iterator, None)
    if first is None:
        raise DataError(f"{LIST}: holds nothing")
    present = _present(first)
    collector = Collector(LIST, "item", request.choose(present, LIST))
    taken = [present.index(name) for name in collector.chosen.every]
    for number, item in enumerate(chain([first], iterator), 1):
        fields = _fields(item, present, number)
        values = [fields[i] if present[i] in collector.chosen.texts else _written(fields[i]) for i in taken]
        collector.add(values, number)
        if len(collector) == request.limit:
            break
    return collector.finish()


def _present(first: object) -> tuple[str, ...]:
    if isinstance(first, str):
        return ("text",)
    if isinstance(first, Mapping):
        return tuple(str(key) for key in first)
    if isinstance(first, Sequence):
        return tuple(str(i) for i in range(len(first)))
    raise DataError(
        f"{LIST}, item 1: is a {type(first).__name__}; texts, tuples of fields or dicts are expected"
    )


def _fields(item: object, present: tuple[str, ...], number: int) -> Sequence[object]:
    """Give an item's fields in the order of `present`."""
    place = f"{LIST}, item {number}"
    if isinstance(item, Mapping):
        named = {str(key): value for key, value in item.items()}
        missing = [name for name in present if name not in named]
        if missing:
            raise DataError(
                f"{place}: no field {missing[0]!r}; it has {', '.join(map(repr, named)) or 'none'}"
            )
        return [named[name] for name in present]
    if present == ("text",):
        return [item]
    if isinstance(item, str) or not isinstance(item, Sequence) or len(item) != len(present):
        shown = (
            f"{len(item)} fields"
            if isinstance(item, Sequence) and not isinstance(item, str)
            else repr(item)[:60]
        )
        raise DataError(
            f"{place}: {shown} where the first item has {len(present)} fields ({', '.join(present)})"
        )
    return item


def _written(value: object) -> str | None:
    """Keep a value that is no text as it would be written; numbers come back from it exactly."""
    if value is None or isinstance(value, str):
        return value
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)
