"""Does the engine learn what the plain loop learns: the dev score of both, over the same seeds.

SimCSE as the recipe has it, two epochs on the 10,536 sentences of STS-B train, watched on STS-B dev; once
as it comes (packed, cheap dropout, bf16 where the processor has it), once with the engine taken out: padded
to the batch, torch's dropout and attention, fp32 (benchmarks/rig/plain_loop.py says how). Seeds decide
batches and dropout; the two draw different masks from one seed, so scores differ by chance: the difference
of their means must be within two standard errors of it.

    python -m benchmarks dev_parity --data DIR --out runs/parity --keep

Finished runs are kept in --out: a second call goes on with those that are missing.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import twinset as ts
from benchmarks import record
from benchmarks.rig import options, texts
from benchmarks.rig.plain_loop import padded, without_engine
from twinset.data import Folder
from twinset.training import Recording

SEEDS = (1, 2, 3)
ENGINE, PLAIN = "engine", "plain loop"


def score(loop: str, seed: int, given: argparse.Namespace) -> dict[str, Any]:
    """One run, trained unless it is finished."""
    folder = given.out / "quick" if given.quick else given.out
    done = folder / f"{loop.replace(' ', '-')}-seed{seed}.json"
    if done.exists():
        return json.loads(done.read_text(encoding="utf-8"))
    encoder, recipe = ts.Encoder.mini(), ts.recipes.simcse()
    if given.quick:
        recipe = replace(recipe, epochs=1)
    if loop == PLAIN:
        encoder, recipe = padded(encoder, replace(recipe, precision="fp32"))
    pairs = Folder(given.data).scored_pairs("sts_en/stsb", split="dev")
    pairs = pairs.take(range(100)) if given.quick else pairs
    with without_engine() if loop == PLAIN else nullcontext():
        run = ts.train(
            encoder,
            texts.alone(given.data, 256 if given.quick else None),
            recipe,
            dev=ts.tasks.Sts(pairs),
            seed=seed,
            recording=Recording(progress=False),
        )
    looks = [100 * look.scores["spearman"] for look in run.looks]
    found: dict[str, Any] = {
        "loop": loop,
        "seed": seed,
        "updates": run.updates,
        "seconds": round(run.seconds, 1),
        "dev_raw": round(looks[0], 3),
        "dev": round(100 * (run.best or run.looks[-1]).scores["spearman"], 3),
        "dev_last": round(looks[-1], 3),
        "dev_course": [round(look, 3) for look in looks],
    }
    done.parent.mkdir(parents=True, exist_ok=True)
    done.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return found


def compared(runs: list[dict[str, Any]], field: str) -> dict[str, float | bool] | None:
    """Difference of the means d, its standard error s = sqrt(s1^2 / n1 + s2^2 / n2), and |d| <= 2 s."""
    scores = {loop: [run[field] for run in runs if run["loop"] == loop] for loop in (ENGINE, PLAIN)}
    if any(len(found) < 2 for found in scores.values()):
        return None
    difference = statistics.mean(scores[ENGINE]) - statistics.mean(scores[PLAIN])
    error = math.sqrt(sum(statistics.variance(found) / len(found) for found in scores.values()))
    return {
        "difference": round(difference, 3),
        "standard_error": round(error, 3),
        "within": abs(difference) <= 2 * error,
    }


def main(arguments: list[str]) -> int:
    """Exit code 1 if the best looks' means differ by more than chance would explain."""
    parser = options.parser(__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the finished runs")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    given = options.parsed(parser, arguments)
    runs: list[dict[str, Any]] = []
    for seed in given.seeds[:1] if given.quick else given.seeds:
        for loop in (ENGINE, PLAIN):
            run = score(loop, seed, given)
            runs.append(run)
            dev = f"{run['dev_raw']:.2f} -> {run['dev']:.2f}"
            print(f"seed {seed}  {loop:<11} dev {dev}  {run['seconds']:.0f} s", flush=True)
    best, last = compared(runs, "dev"), compared(runs, "dev_last")
    print(f"best look: {best}\nlast look: {last}")
    record.keep("dev_parity", {"runs": runs, "best_look": best, "last_look": last}, given)
    return int(best is not None and not best["within"])
