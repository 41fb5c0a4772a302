"""Opening data files, and saying precisely what is wrong with those that cannot be read."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO, TextIO

from twinset.errors import DataError, RequestError

SUFFIXES = (".txt", ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
BLOCK = 1 << 20


def file_kind(path: Path) -> str:
    """Tell a file's format by its suffix, with or without `.gz`: one of `SUFFIXES`."""
    name = path.name.lower().removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix in SUFFIXES:
        return suffix
    shown = f"the suffix {suffix!r}" if suffix else "no suffix"
    hint = " Write one JSON object a line and call it .jsonl." if suffix == ".json" else ""
    raise DataError(
        f"{path}: {shown} says nothing known; data files end in {', '.join(SUFFIXES)}, each also with "
        f".gz.{hint}"
    )


def check_file(path: Path) -> None:
    """Refuse a path that is missing, a folder, or an empty file."""
    if path.is_dir():
        inside = sorted(child.name for child in path.iterdir() if not child.name.startswith("."))[:8]
        raise DataError(f"{path}: is a folder; name a file in it ({', '.join(inside) or 'it is empty'})")
    if not path.exists():
        siblings = sorted(child.name for child in path.parent.iterdir()) if path.parent.is_dir() else []
        near = get_close_matches(path.name, siblings, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else _what_is_there(path.parent, siblings)
        raise DataError(f"{path}: no such file; {hint}")
    if not path.stat().st_size:
        raise DataError(f"{path}: the file is empty (0 bytes); check what wrote it")


def _what_is_there(folder: Path, siblings: list[str]) -> str:
    if not folder.is_dir():
        return f"there is no folder {folder} either"
    return f"{folder} holds {', '.join(siblings[:8]) or 'nothing'}"


@contextmanager
def open_bytes(path: Path) -> Generator[BinaryIO]:
    """Open a file, unpacking `.gz`; faults of the file become `DataError`s."""
    check_file(path)
    try:
        with gzip.open(path, "rb") if path.name.lower().endswith(".gz") else path.open("rb") as stream:
            yield stream  # type: ignore[misc]  # GzipFile reads like a BinaryIO
    except EOFError as error:
        raise DataError(
            f"{path}: the gzip data ends too soon; the file was cut short: fetch or pack it again"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            f"{path}: is not sound gzip data ({error}); fetch or pack it again, or drop the suffix .gz"
        ) from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error


@contextmanager
def open_text(path: Path, encoding: str, *, newline: str | None = None) -> Generator[TextIO]:
    """Open a text file; bytes that are no text in `encoding` are an error that says where they are."""
    try:
        codec = codecs.lookup(encoding).name
    except LookupError as error:
        raise RequestError(
            f"encoding={encoding!r} is not known; try 'utf-8', 'cp1252', 'gb18030' or 'utf-16'"
        ) from error
    if codec == "utf-8":
        codec = "utf-8-sig"  # a byte order mark is not part of the first text
    try:
        with open_bytes(path) as stream, io.TextIOWrapper(stream, codec, newline=newline) as text:
            yield text
    except UnicodeError as error:
        raise _encoding_error(path, codec, encoding) from error


def _encoding_error(path: Path, codec: str, encoding: str) -> DataError:
    """Read the file once more to find the first byte that cannot be decoded."""
    decoder = codecs.getincrementaldecoder(codec)()
    consumed, line = 0, 1
    with open_bytes(path) as stream:
        start = stream.read(2)
        stream.seek(0)
        while True:
            block = stream.read(BLOCK)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                at = error.start - pending
                line += block[: max(at, 0)].count(b"\n")
                wrong = error.object[error.start : error.start + 1].hex()
                where = f"line {line}, byte {consumed + at:,}: 0x{wrong} is not {encoding}"
                break
            except UnicodeError as error:  # UTF-16 without its mark
                where = f"not {encoding}: {error}"
                break
            consumed, line = consumed + len(block), line + block.count(b"\n")
            if not block:
                where = f"not {encoding}"
                break
    utf16 = start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    likely = "encoding='utf-16'" if utf16 else "encoding='cp1252' (Western), 'gb18030' (Chinese) or another"
    return DataError(f"{path}, {where}; say {likely}, or save the file as UTF-8")
