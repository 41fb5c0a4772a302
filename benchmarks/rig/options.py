"""The options that these benchmarks have beside `record`'s own."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import record


def parser(about: str | None, *, repeats: int | None = None) -> argparse.ArgumentParser:
    """--data, --quick, and --repeats where something is repeated."""
    made = record.parser(about)
    made.add_argument("--data", type=Path, required=True, help="folder with sts_en/ and text_en/")
    made.add_argument("--quick", action="store_true", help="a smoke run of seconds: not to be kept")
    if repeats is not None:
        made.add_argument("--repeats", type=int, help=f"rounds of turns ({repeats}; with --quick 1)")
    return made


def parsed(
    made: argparse.ArgumentParser, arguments: list[str], *, repeats: int | None = None
) -> argparse.Namespace:
    """What was asked for; a quick run's figures are never among the results."""
    given = made.parse_args(arguments)
    if given.quick and given.keep:
        made.error("--quick is a smoke run; its figures are not kept. Leave out --quick or --keep")
    if not given.data.is_dir():
        made.error(f"--data {given.data}: no such folder")
    if repeats is not None:
        given.repeats = (1 if given.quick else repeats) if given.repeats is None else given.repeats
        if given.repeats < 1:
            made.error(f"--repeats {given.repeats}: at least one round is needed")
    return given
