"""Anything that holds data -> its chosen columns, filtered and without blank texts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from twinset.data.delimited import read_delimited
from twinset.data.files import check_file, file_kind
from twinset.data.jsonl import read_jsonl
from twinset.data.lines import read_lines
from twinset.data.objects import is_from, read_arrow, read_dataset, read_frame, read_items
from twinset.data.parquet import read_parquet
from twinset.data.raw import Raw
from twinset.data.request import Request
from twinset.data.values import matching, without_blank
from twinset.errors import DataError

Source = Any
"""A path; a pandas DataFrame, a Hugging Face Dataset or an Arrow table; texts, tuples or dicts."""

READERS = {
    ".txt": read_lines,
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}


def load(source: Source, request: Request) -> Raw:
    """Read what `request` asks for from `source`."""
    limit = request.limit
    raw = load_raw(source, request.without_limit() if request.where else request)
    for field, wanted in zip(raw.chosen.filters, request.where.values(), strict=True):
        raw = matching(raw, field, wanted)
    raw = without_blank(raw)
    if not len(raw.numbers):
        message = f"{raw.name}: no row with a text in it" + "".join(f"; {note}" for note in raw.notes)
        raise DataError(message)
    return raw.keep(np.arange(limit)) if limit is not None and len(raw.numbers) > limit else raw


def load_raw(source: Source, request: Request) -> Raw:
    """Read the chosen columns as they stand in `source`."""
    if isinstance(source, (str, Path)):
        path = Path(source)
        if path.is_dir() or not path.exists():
            check_file(path)
        return READERS[file_kind(path)](path, request)
    if isinstance(source, pa.Table):
        return read_arrow(source, request)
    if is_from(source, "pandas", "DataFrame"):
        return read_frame(source, request)
    if is_from(source, "datasets", "Dataset"):
        return read_dataset(source, request)
    if is_from(source, "datasets", "DatasetDict"):
        raise DataError(
            f"a DatasetDict holds several splits ({', '.join(source)}); give one of them, such as "
            "data['train']"
        )
    if isinstance(source, Iterable):
        return read_items(source, request)
    raise DataError(
        f"data of type {type(source).__name__} cannot be read; give a path, a list of texts, tuples or "
        "dicts, "
        f"a pandas DataFrame, a Hugging Face Dataset or an Arrow table"
    )
