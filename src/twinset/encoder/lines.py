"""Lines of a text file, one text each, whatever its size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from twinset.errors import DataError

_BOM = b"\xef\xbb\xbf"


def read_lines(path: Path) -> Iterator[str]:
    """Every line without its end (LF or CR LF); empty lines are empty texts, so that line i is row i."""
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                line = raw.removeprefix(_BOM) if number == 1 else raw
                yield _decoded(line.rstrip(b"\n").removesuffix(b"\r"), path, number)
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error


def _decoded(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{path}, line {number}: byte {error.start + 1} is not UTF-8; convert the file to UTF-8"
        raise DataError(message) from error
