"""Parquet files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from twinset.data.files import check_file, open_bytes
from twinset.data.raw import Raw
from twinset.data.request import Request
from twinset.errors import DataError

BATCH = 1 << 16
"""Rows that are decoded at once, at most."""


def read_parquet(path: Path, request: Request) -> Raw:
    """Read the chosen columns of a parquet file, no more rows than are asked for."""
    check_file(path)
    try:
        if path.name.lower().endswith(".gz"):
            with open_bytes(path) as stream:
                file = pq.ParquetFile(pa.BufferReader(stream.read()))
        else:
            file = pq.ParquetFile(path)
        with file:
            chosen = request.choose(file.schema_arrow.names, str(path))
            table = _rows(file, chosen.every, request.limit)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0][:160]
        raise DataError(
            f"{path}: cannot be read as parquet ({reason}); it may have been cut short: fetch or write "
            "it again"
        ) from error
    numbers = np.arange(1, table.num_rows + 1)
    return Raw(name=str(path), unit="row", chosen=chosen, table=table, numbers=numbers)


def _rows(file: pq.ParquetFile, columns: tuple[str, ...], limit: int | None) -> pa.Table:
    if limit is None:
        return file.read(columns=list(columns)).select(list(columns))
    batches: list[pa.RecordBatch] = []
    for batch in file.iter_batches(batch_size=min(limit, BATCH), columns=list(columns)):
        batches.append(batch)
        if sum(each.num_rows for each in batches) >= limit:
            break
    schema = pa.schema([file.schema_arrow.field(name) for name in columns])
    return pa.Table.from_batches([batch.select(list(columns)) for batch in batches], schema=schema).slice(
        0, limit
    )
