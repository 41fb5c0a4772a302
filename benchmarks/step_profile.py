"""Where a training step's time goes: the plain loop before, the engine after.

One SimCSE step of the built-in encoder on 64 sentences, two looks each. Before: padded to the batch,
torch's dropout and attention, fp32 (benchmarks/rig/plain_loop.py says how); after: twinset as it comes.
Shares are operations' own times under torch's profiler (benchmarks/rig/kinds.py says what counts as what);
milliseconds are those shares of the step's time without the profiler, taken in turns.

    python -m benchmarks step_profile --data DIR --keep
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks import record
from benchmarks.rig import encoders, environments, options, speeds, texts
from benchmarks.rig.turns import System, alternate, working

BATCH, MAX_LENGTH = 64, 64
REPEATS = 5
BEFORE, AFTER = "before", "after"


def systems(settings: Mapping[str, Any]) -> list[System]:
    """The loop without its engine, and with it."""
    ways = {BEFORE: {"engine": "off", "precision": "fp32"}, AFTER: {"engine": "on", "precision": "auto"}}
    return [
        System(
            name=name,
            python=environments.OURS,
            module="benchmarks.systems.step_ours",
            settings={**settings, **way},
        )
        for name, way in ways.items()
    ]


def by_kind(found: Mapping[str, Mapping[str, float]], steps: Mapping[str, float]) -> list[dict[str, Any]]:
    """One row a kind, most of the time before first: share of the step and milliseconds, before and after."""
    kinds = sorted(
        {kind for shares in found.values() for kind in shares}, key=lambda k: -_at(found[BEFORE], k)
    )
    return [
        {
            "kind": kind,
            **{f"{name}_share": _at(found[name], kind) for name in found},
            **{f"{name}_ms": round(1000 * steps[name] * _at(found[name], kind), 2) for name in found},
        }
        for kind in kinds
    ]


def _at(shares: Mapping[str, float], kind: str) -> float:
    return shares.get(kind, 0.0)


def main(arguments: list[str]) -> None:
    """The command line."""
    given = options.parsed(options.parser(__doc__, repeats=REPEATS), arguments, repeats=REPEATS)
    with tempfile.TemporaryDirectory() as place:
        settings = {
            "folder": str(encoders.folder("mini", Path(place))),
            "texts": texts.written(texts.alone(given.data, 2048), Path(place) / "texts.json"),
            "max_length": MAX_LENGTH,
            "batch_size": BATCH,
            "steps": 1 if given.quick else 10,
        }
        with working(systems(settings), {}) as workers:
            answers = alternate(workers, given.repeats)
            found = {name: worker.go({"profile": True})["shares"] for name, worker in workers.items()}
    steps = {name: speeds.spread([a["seconds"] for a in told], 4) for name, told in answers.items()}
    rows = by_kind(found, {name: step["median"] for name, step in steps.items()})
    compared = speeds.rows(answers, BATCH, BEFORE)
    for row in compared:
        print(speeds.line(row))
    for row in rows:
        before, after = (f"{row[f'{name}_ms']:>8.1f} ms {row[f'{name}_share']:>6.1%}" for name in steps)
        print(f"  {row['kind']:<28}{before}{after}")
    record.keep("step_profile", {"steps": compared, "seconds": steps, "rows": rows}, given)
