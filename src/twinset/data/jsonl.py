"""Files of JSON objects, one a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from twinset.data.files import open_text
from twinset.data.raw import Collector, Raw
from twinset.data.request import Request
from twinset.errors import DataError


def read_jsonl(path: Path, request: Request) -> Raw:
    """Read one JSON object a line; the first object's fields are the columns."""
    collector: Collector | None = None
    blank: list[int] = []
    with open_text(path, request.encoding) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                blank.append(number)
                continue
            item = json_object(line, f"{path}, line {number}")
            if collector is None:
                collector = Collector(str(path), "line", request.choose(tuple(item), str(path)))
            collector.add(_values(item, collector, number), number)
            if len(collector) == request.limit:
                break
    if collector is None:
        raise DataError(f"{path}: there are only blank lines in it")
    if blank:
        collector.notes.append(f"{path}: {len(blank):,} blank lines left out (the first: line {blank[0]})")
    return collector.finish()


def json_object(line: str, place: str) -> dict[str, object]:
    """Parse a line that must be one object; `place` is what messages call it."""
    try:
        item: object = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(
            f"{place}: is no JSON ({error.msg} at column {error.colno}); one whole object a line is expected"
        ) from error
    except RecursionError as error:
        raise DataError(f"{place}: is nested too deeply; one flat object a line is expected") from error
    if not isinstance(item, dict):
        raise DataError(
            f"{place}: is a JSON {type(item).__name__}, not an object with named fields "
            'such as {"text": ...}'
        )
    return cast("dict[str, object]", item)


def _values(item: dict[str, object], collector: Collector, number: int) -> list[object]:
    """Give the chosen fields; other than texts, they are kept as they were written."""
    missing = [name for name in collector.chosen.every if name not in item]
    if missing:
        raise DataError(
            f"{collector.name}, line {number}: no field {missing[0]!r}; it has "
            f"{', '.join(map(repr, item)) or 'none'}. "
            f"Every line needs the same fields"
        )
    texts = collector.chosen.texts
    return [item[name] if name in texts else _as_written(item[name]) for name in collector.chosen.every]


def _as_written(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)
