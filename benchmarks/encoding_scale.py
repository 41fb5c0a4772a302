"""A thousand to a million sentences from a file of lines to a file of vectors: time and memory.

`Encoder.encode_file` with the built-in encoder, each size in a process of its own. The lines are the
sentences of Wikipedia of at most 120 characters, and their repetitions with the number of the round in
front, so that no two are equal. `memory`: the peak of resident memory less what the process held before
(MiB): it must not grow with the number of sentences once the engine's windows are full.

    python -m benchmarks encoding_scale --data DIR --keep
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import record
from benchmarks.rig import encoders, environments, options, texts
from benchmarks.rig.turns import System, working

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = (50, 200)
LONGEST = 120
"""Characters of a sentence, so that a million take ten minutes."""

FULL_WINDOWS = 100_000
"""From so many on, memory may grow by GROWTH at most."""

GROWTH = 1.1


def write_lines(read: list[str], count: int, file: Path) -> None:
    """`count` lines, no two of them equal."""
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            turn, place = divmod(number, len(read))
            line = " ".join(read[place].split())
            out.write(f"{turn} {line}\n" if turn else f"{line}\n")


def measured(count: int, read: list[str], given: argparse.Namespace, place: Path) -> dict[str, Any]:
    """One size: its time, speed and memory."""
    source, target = place / "lines.txt", place / "vectors.npy"
    write_lines(read, count, source)
    settings = {"folder": str(encoders.folder("mini", place)), "source": str(source), "target": str(target)}
    if given.precision is not None:
        settings["precision"] = given.precision
    one = System(
        name="encode_file",
        python=environments.OURS,
        module="benchmarks.systems.encode_file_ours",
        settings=settings,
    )
    with working([one], {}) as workers:
        found = workers[one.name].go()
    if found["rows"] != count:
        raise SystemExit(f"{found['rows']} vectors of {count} sentences")
    return {
        "sentences": count,
        "seconds": round(found["seconds"], 2),
        "sentences_per_second": round(count / found["seconds"], 1),
        "memory": round(found["memory_peak"] - found["memory_before"], 1),
        "memory_peak": found["memory_peak"],
        "file_mib": round(target.stat().st_size / 2**20, 1),
    }


def growth(rows: list[dict[str, Any]]) -> float | None:
    """The largest size's memory over that of the smallest that fills the windows."""
    full = [row["memory"] for row in rows if row["sentences"] >= FULL_WINDOWS]
    return round(full[-1] / full[0], 2) if len(full) > 1 else None


def main(arguments: list[str]) -> int:
    """Exit code 1 if memory grows with the number of sentences."""
    parser = options.parser(__doc__)
    parser.add_argument("--precision", choices=("fp32", "bf16"), help="(the encoder's default)")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help=f"{SIZES}")
    given = options.parsed(parser, arguments)
    sizes = given.sizes or (QUICK_SIZES if given.quick else SIZES)
    read = [text for text in texts.wiki(given.data) if len(text) <= LONGEST]
    rows: list[dict[str, Any]] = []
    for count in sizes:
        with tempfile.TemporaryDirectory() as place:
            row = measured(count, read, given, Path(place))
        rows.append(row)
        print(
            f"{count:>9,} sentences  {row['seconds']:>8.1f} s  {row['sentences_per_second']:>7.1f} /s  "
            f"{row['memory']:.0f} MiB more, {row['memory_peak']:.0f} in all",
            flush=True,
        )
    share = growth(rows)
    record.keep("encoding_scale", {"rows": rows, "growth": share}, given)
    return int(share is not None and share > GROWTH)
