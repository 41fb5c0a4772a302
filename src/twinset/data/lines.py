"""Plain text files: one text a line."""

from __future__ import annotations

from pathlib import Path

from twinset.data.files import open_text
from twinset.data.raw import Collector, Raw
from twinset.data.request import Request


def read_lines(path: Path, request: Request) -> Raw:
    """Read a text file: one column named `text`, one row a line. A line end is LF, CR LF or CR."""
    collector = Collector(str(path), "line", request.choose(("text",), str(path)))
    width = len(collector.chosen.every)
    with open_text(path, request.encoding) as stream:
        for number, line in enumerate(stream, 1):
            collector.add([line.rstrip("\n")] * width, number)
            if len(collector) == request.limit:
                break
    return collector.finish()
