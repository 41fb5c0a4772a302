"""What a batch costs in memory: plain and cached steps, batches of 64 to 4,096.

Each batch size trains the built-in encoder with SimCSE in a process of its own. `memory`: the peak of
resident memory less what the process held before training began; `peak`: all of it. The gradient of a
cached step is the plain step's; its target is a batch of 512 in what a plain batch of 64 takes, and a fifth
more at most. Where the peer's environment is there (`make bench-peers`), its own cached loss is measured,
too, in chunks of 32 texts, which is its default.

    python -m benchmarks training_memory --data DIR --keep
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks import record
from benchmarks.rig import encoders, environments, options, texts
from benchmarks.rig.turns import System, working

MAX_LENGTH = 64
ALLOWED = 1.2
"""Of the plain batch of 64: what a cached batch of 512 may take."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One way to train. updates: how many; the allocator has settled after two."""

    who: Literal["twinset", "sentence-transformers"] = "twinset"
    step: Literal["plain", "cached"]
    batch: int
    updates: int = 2

    @property
    def name(self) -> str:
        """As the table calls it."""
        return f"{self.who}, {self.step}, {self.batch}"


PLAIN_64, CACHED_512 = Run(step="plain", batch=64, updates=20), Run(step="cached", batch=512, updates=4)
RUNS = (
    PLAIN_64,
    Run(step="cached", batch=64, updates=20),
    Run(step="cached", batch=256, updates=6),
    CACHED_512,
    Run(step="cached", batch=1024, updates=3),
    Run(step="cached", batch=4096),
    Run(step="plain", batch=256, updates=6),
    Run(step="plain", batch=512, updates=4),
    Run(who="sentence-transformers", step="plain", batch=64, updates=10),
    Run(who="sentence-transformers", step="cached", batch=512),
)
QUICK = (Run(step="plain", batch=64, updates=1), Run(step="cached", batch=128, updates=1))


def system(run: Run, settings: dict[str, Any]) -> System:
    """The run in a process of its own."""
    own = {**settings, "batch_size": run.batch}
    if run.who == "twinset":
        own |= {"engine": "on", "precision": "auto", "step": run.step}
        return System(
            name=run.name, python=environments.OURS, module="benchmarks.systems.train_ours", settings=own
        )
    own |= {"cached": 32 if run.step == "cached" else None}
    python = environments.HOME / "torch" / "bin" / "python"
    return System(
        name=run.name, python=python, module="benchmarks.systems.train_theirs", settings=own, optional=True
    )


def measured(run: Run, read: list[str], place: Path, left_out: dict[str, str]) -> dict[str, Any] | None:
    """One run: its memory (MiB) and speed, or nothing where it is left out."""
    count = run.batch * run.updates
    some = (read * (count // len(read) + 1))[:count]
    settings = {
        "folder": str(encoders.folder("mini", place)),
        "texts": texts.written(some, place / "texts.json"),
        "max_length": MAX_LENGTH,
    }
    with working([system(run, settings)], left_out) as workers:
        if run.name not in workers:
            return None
        found = workers[run.name].go()
    return {
        "system": run.who,
        "step": run.step,
        "batch": run.batch,
        "updates": found["updates"],
        "memory": round(found["memory_peak"] - found["memory_before"], 1),
        "memory_peak": found["memory_peak"],
        "sentences_per_second": round(count / found["seconds"], 1),
    }


def within_target(rows: list[dict[str, Any]]) -> float | None:
    """The cached 512's memory over the plain 64's."""
    memory = {(row["system"], row["step"], row["batch"]): row["memory"] for row in rows}
    ours = ("twinset", PLAIN_64.step, PLAIN_64.batch), ("twinset", CACHED_512.step, CACHED_512.batch)
    if any(key not in memory for key in ours):
        return None
    return round(memory[ours[1]] / memory[ours[0]], 2)


def measure_all(given: argparse.Namespace) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Every run, one after another."""
    read = texts.alone(given.data)
    rows: list[dict[str, Any]] = []
    left_out: dict[str, str] = {}
    for run in QUICK if given.quick else RUNS:
        with tempfile.TemporaryDirectory() as place:
            row = measured(run, read, Path(place), left_out)
        if row is None:
            print(f"{run.name:<40} left out: {left_out[run.name]}", flush=True)
            continue
        rows.append(row)
        print(
            f"{run.name:<40} {row['memory']:>8.0f} MiB more, {row['memory_peak']:.0f} in all, "
            f"{row['sentences_per_second']:.0f} sentences/s",
            flush=True,
        )
    return rows, left_out


def main(arguments: list[str]) -> int:
    """Exit code 1 if a cached batch of 512 takes more than the target."""
    given = options.parsed(options.parser(__doc__), arguments)
    rows, left_out = measure_all(given)
    share = within_target(rows)
    found = {"max_length": MAX_LENGTH, "rows": rows, "left_out": left_out, "cached 512 over plain 64": share}
    record.keep("training_memory", found, given)
    return int(share is not None and share > ALLOWED)
