"""Comma and tab separated files."""

from __future__ import annotations

import csv
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from twinset.data.files import open_text
from twinset.data.raw import Collector, Raw
from twinset.data.request import Request
from twinset.errors import DataError


@dataclass(frozen=True)
class Dialect:
    """How fields are told apart."""

    delimiter: str
    quoted: bool = True


class QuotingError(DataError):
    """The file does not hold to the rules of quoting."""


def read_delimited(path: Path, request: Request) -> Raw:
    """Read a .csv (`,`, or `;` where the header says so) or .tsv file, quoted line breaks included.

    A .tsv file whose quotes do not follow the rules is read again with quotes as plain characters, as most
    tools write them, and noted; in a .csv file that is an error, for a comma in a text could not be told.
    """
    tabs = path.name.lower().removesuffix(".gz").endswith(".tsv")
    try:
        return _read(path, request, Dialect("\t" if tabs else _comma(path, request)))
    except QuotingError as trouble:
        if not tabs:
            raise
        try:
            raw = _read(path, request, Dialect("\t", quoted=False))
        except DataError:
            raise trouble from None
    return replace(raw, notes=(*raw.notes, f"{path}: quotes are read as plain characters"))


def _comma(path: Path, request: Request) -> str:
    """Tell `;` from `,` by the first line: `;` when that splits it and `,` does not."""
    with open_text(path, request.encoding, newline="") as stream:
        first = stream.readline()
    return ";" if ";" in first and "," not in first and request.kind.width > 1 else ","


def _read(path: Path, request: Request, dialect: Dialect) -> Raw:
    with open_text(path, request.encoding, newline="") as stream, _long_fields():
        return _collect(_records(stream, str(path), dialect), str(path), request)


def _collect(records: Iterator[tuple[int, int, list[str]]], name: str, request: Request) -> Raw:
    blank: list[int] = []
    header = next(((number, cells) for number, _, cells in _filled(records, blank)), None)
    if header is None:
        raise DataError(f"{name}: there are only blank lines in it")
    number, cells = header
    named = request.is_header(cells)
    present = [cell.strip() for cell in cells] if named else [str(i) for i in range(len(cells))]
    collector = Collector(name, "line", request.choose(present, name))
    taken = [present.index(column) for column in collector.chosen.every]
    if not named:
        collector.add([cells[i] for i in taken], number)
        if request.columns is None:
            shown = ", ".join(repr(cell[:40]) for cell in cells)
            collector.notes.append(
                f"{name}: no header line was recognised; the first line is read as data ({shown})"
            )
    over_lines = 0
    left = None if request.limit is None else request.limit - len(collector)
    for number, last, cells in islice(_filled(records, blank), left):
        if len(cells) != len(present):
            raise _ragged(name, number, cells, present, named=named)
        collector.add([cells[i] for i in taken], number)
        over_lines += last > number
    if over_lines:
        collector.notes.append(f"{name}: {over_lines:,} rows run over several lines (quoted line breaks)")
    if blank:
        collector.notes.append(f"{name}: {len(blank):,} blank lines left out (the first: line {blank[0]})")
    return collector.finish()


def _filled(
    records: Iterator[tuple[int, int, list[str]]], blank: list[int]
) -> Iterator[tuple[int, int, list[str]]]:
    for number, last, cells in records:
        if cells:
            yield number, last, cells
        else:
            blank.append(number)


def _records(stream: Iterator[str], name: str, dialect: Dialect) -> Iterator[tuple[int, int, list[str]]]:
    """Walk through the records with the numbers of their first and last lines."""
    quoting = csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE
    reader = csv.reader(stream, delimiter=dialect.delimiter, quoting=quoting, strict=True)
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise QuotingError(
                f"{name}, line {number}: quotes are not closed or not doubled ({error}); a text with quotes, "
                f"delimiters or line breaks must stand in quotes, its own quotes doubled"
            ) from error
        yield number, reader.line_num, cells


def _ragged(
    name: str, number: int, cells: Sequence[str], present: Sequence[str], *, named: bool
) -> QuotingError:
    first = f"the first line has {len(present)}"
    if named:
        first = f"the header names {len(present)} ({', '.join(present)})"
    return QuotingError(
        f"{name}, line {number}: {len(cells)} fields where {first}; put texts that hold the delimiter "
        "or a line "
        f"break in quotes"
    )


@contextmanager
def _long_fields() -> Generator[None]:
    """Lift the csv module's limit of 131,072 characters a field while a file is read."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
