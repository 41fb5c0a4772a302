"""The lift that SimCSE and ConSERT give the built-in encoder on the sentences of STS-B train.

The 10,536 distinct sentences of STS-B train, no labels; watched on STS-B dev; scored on STS-B dev, on the
seven STS tasks and their average ("all" protocol). STS-B train holds sentences, and pairs, of the STS12-16
test sets: their figures are transductive.

    python -m benchmarks train_stsb --data DIR --seeds 11 12 13 14 15 --out runs/stsb --keep
    python -m benchmarks train_stsb --data DIR --seeds 1 2 --out runs/screen --screen

Finished runs are kept: a second call goes on with those that are missing. `--screen` tries a grid of
settings and scores dev alone: test sets are not touched while settings are chosen.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import twinset as ts
from benchmarks import record
from twinset.data import Folder, Sentences, Texts
from twinset.evaluation import evaluate, suites
from twinset.training import Recording

GRID = {  # RESULTS.md says what else was tried
    "simcse": {"learning_rate": (5e-5, 1e-4, 2e-4, 3e-4), "temperature": (0.05, 0.1)},
    "consert": {"learning_rate": (5e-5, 1e-4, 2e-4, 3e-4), "temperature": (0.05, 0.1)},
}


def settings(name: str, *, grid: bool) -> dict[str, ts.Recipe]:
    """The recipe by itself, or every point of its grid, by label."""
    base = getattr(ts.recipes, name)("mini")
    if not grid:
        return {name: base}
    found: dict[str, ts.Recipe] = {}
    for rate, temperature in itertools.product(*GRID[name].values()):
        objective = replace(base.objective, temperature=temperature)
        found[f"{name}-lr{rate:g}-t{temperature:g}"] = replace(base, learning_rate=rate, objective=objective)
    return found


def score(label: str, recipe: ts.Recipe, seed: int, args: argparse.Namespace) -> dict[str, Any]:
    """One run, trained unless it is finished, and its scores."""
    folder = args.out / f"{label}-seed{seed}"
    done = folder / "result.json"
    if done.exists():
        return json.loads(done.read_text())
    data = Folder(args.data)
    first, second = data.scored_pairs("sts_en/stsb", split="train").columns
    text = Sentences(Texts([*first, *second]).unique())
    base = ts.Encoder.mini()
    run = ts.train(
        base,
        text,
        recipe,
        dev=ts.tasks.Sts(data.scored_pairs("sts_en/stsb", split="dev")),
        seed=seed,
        out=folder,
        resume=(folder / "checkpoint.safetensors").exists(),
        recording=Recording(progress=False),
    )
    looks = [100 * look.scores["spearman"] for look in run.looks]
    best = run.best or run.looks[-1]
    result: dict[str, Any] = {
        "label": label,
        "seed": seed,
        "sentences": len(text),
        "updates": run.updates,
        "seconds": round(run.seconds, 1),
        "dev_raw": round(looks[0], 3),
        "dev": round(100 * best.scores["spearman"], 3),
        "dev_course": [round(look, 3) for look in looks],
    }
    if not args.screen:
        scores = evaluate(run.encoder, suites.sts(args.data))
        result["test"] = {
            name: round(100 * scores.task(name).correlations("spearman").under("all"), 3)
            for name in scores.tasks
        }
        result["average"] = round(100 * scores.average(), 3)
    done.write_text(json.dumps(result, indent=2) + "\n")
    return result


def main(arguments: list[str]) -> None:
    parser = record.parser(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--recipes", nargs="+", default=["simcse", "consert"])
    parser.add_argument("--screen", action="store_true")
    args = parser.parse_args(arguments)
    runs: list[dict[str, object]] = []
    for name in args.recipes:
        for label, recipe in settings(name, grid=args.screen).items():
            results = [score(label, recipe, seed, args) for seed in args.seeds]
            gains = [result["dev"] - result["dev_raw"] for result in results]
            spread = statistics.stdev(gains) if len(gains) > 1 else float("nan")
            raw, gain = results[0]["dev_raw"], statistics.mean(gains)
            print(f"{label:28} dev {raw:.2f} +{gain:.2f} ({spread:.2f})", flush=True)
            runs += results
    record.keep("train_stsb_screen" if args.screen else "train_stsb", {"runs": runs}, args)
