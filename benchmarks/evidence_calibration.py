"""Do the intervals keep their promise: on resampled real data, and thirty real encoders.

    python -m benchmarks evidence_calibration --data DIR --bank runs/bank --out runs/calibration --keep

The encoders (benchmarks/rig/bank.py) are trained first where they are not in --bank yet, half an hour in all.

Items: the 8,628 pairs of STS-B (Spearman, drawn by connected component) and 8,092 searches among captions
(mean reciprocal rank). A test set of n items is drawn with replacement; runs are drawn from the bank.

null      two disjoint halves of one recipe's seeds, or, of one run a side, two encoders whose predictions
          are swapped item by item by a coin: no difference is there, and a claim is false.
cover     two recipes (three seeds and more: their ten-seed means on all items are the truth, seeds drawn with
          replacement) or two encoders (their scores on all items are): does the interval hold the truth.
          The share of claims is the power at that difference.

SUPPORTED was written before the first run. Beside the interval that twinset gives stand two that it does not:
`seeds resampled`, a bootstrap over seeds and items with percentiles, and `items alone`, which takes the runs
for the recipe. Finished cells are kept in --out.
"""

from __future__ import annotations

import argparse
import itertools
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import record
from benchmarks.rig import bank
from twinset.evaluation.items import Averaged, Correlated, Items
from twinset.evidence.comparison import LEAST_COMPONENTS, LEAST_RUNS
from twinset.evidence.interval import Interval, interval
from twinset.evidence.replicates import Replicates, replicate
from twinset.evidence.resampling import Clusters

RECIPES = ("simcse", "consert", "simcse-slow")
SEEDS = 10
SIZES, RUNS = (200, 500, 1500, 3000), (1, 3, 5)
SUPPORTED = {(n, runs) for n in SIZES for runs in RUNS}
REPEATS, DRAWS = 2000, 1000
LARGEST = 20
"""A component of more than n / LARGEST items is left out of the data that n items are drawn from."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Something to try many times."""

    data: str
    kind: str
    n: int
    runs: int

    @property
    def name(self) -> str:
        return f"{self.data}-{self.kind}-n{self.n}-runs{self.runs}"


class Bank:
    """predicted[recipe] (seeds, items), gold (items,), components (items,)."""

    def __init__(self, folder: Path, data: str, n: int) -> None:
        found = {
            recipe: np.stack([np.load(folder / f"{recipe}-{seed}.npz")[data] for seed in range(1, SEEDS + 1)])
            for recipe in RECIPES
        }
        facts = np.load(folder / "facts.npz")
        items = found[RECIPES[0]].shape[1]
        self.gold = facts["gold"] if data == "sts" else None
        groups = facts["components"] if data == "sts" else np.arange(items)
        sizes = np.bincount(groups)
        kept = np.flatnonzero(sizes[groups] <= max(1, n // LARGEST))
        self.predicted = {recipe: values[:, kept] for recipe, values in found.items()}
        self.gold = None if self.gold is None else self.gold[kept]
        order = np.argsort(groups[kept], kind="stable")
        ends = np.flatnonzero(np.diff(groups[kept][order])) + 1
        self.components = np.split(order, ends)

    def drawn(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Rows of a test set of n items or a few more, and their components."""
        rows: list[np.ndarray] = []
        count = 0
        while count < n:
            rows.append(self.components[int(rng.integers(len(self.components)))])
            count += len(rows[-1])
        return np.concatenate(rows), np.repeat(np.arange(len(rows)), [len(part) for part in rows])

    def items(self, predicted: np.ndarray, rows: np.ndarray) -> Items:
        """One system on these rows."""
        if self.gold is None:
            return Averaged(metric="mrr", values=predicted[rows])
        return Correlated(metric="spearman", gold=self.gold[rows], predicted=predicted[rows])

    def whole(self, predicted: np.ndarray) -> float:
        """The score on all items."""
        everything = np.arange(predicted.shape[-1])
        clusters = Clusters.of({"t": everything})
        runs = [{"t": self.items(predicted, everything)}]
        return float(replicate(runs, clusters, draws=2, seed=0).observed[0, 0])


def pairing(
    cell: Cell, kept: Bank, truth: dict[str, list[float]], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, float]:
    """Two sides' predictions (runs, items), and the true difference."""
    if cell.kind == "null":
        recipe = RECIPES[int(rng.integers(len(RECIPES)))]
        chosen = rng.permutation(SEEDS)
        one, two = (kept.predicted[recipe][chosen[part]] for part in _halves(cell.runs))
        if cell.runs == 1:
            coin = rng.random(one.shape) < 0.5
            one, two = np.where(coin, one, two), np.where(coin, two, one)
        return one, two, 0.0
    pairs = list(itertools.combinations(RECIPES, 2))
    first, second = pairs[int(rng.integers(len(pairs)))]
    seeds = [rng.integers(SEEDS, size=cell.runs) for _ in range(2)]
    one, two = kept.predicted[first][seeds[0]], kept.predicted[second][seeds[1]]
    if cell.runs == 1:
        return one, two, truth[first][seeds[0][0]] - truth[second][seeds[1][0]]
    return one, two, float(np.mean(truth[first]) - np.mean(truth[second]))


def _halves(runs: int) -> tuple[slice, slice]:
    return slice(runs), slice(runs, 2 * runs)


def tried(cell: Cell, folder: Path, repeats: int) -> dict[str, Any]:
    """One cell: how often each interval holds the truth, and how often it claims a difference."""
    kept = Bank(folder, cell.data, cell.n)
    truth = {recipe: [kept.whole(one) for one in values] for recipe, values in kept.predicted.items()}
    held: dict[str, list[bool]] = {}
    claimed: dict[str, list[bool]] = {}
    true: list[float] = []
    effective: list[float] = []
    for number in range(repeats):
        rng = np.random.default_rng([number, cell.n, cell.runs, cell.kind == "null", cell.data == "sts"])
        one, two, difference = pairing(cell, kept, truth, rng)
        rows, places = kept.drawn(cell.n, rng)
        clusters = Clusters.of({"t": places})
        runs = [{"t": kept.items(system, rows)} for system in (*one, *two)]
        found = replicate(runs, clusters, draws=DRAWS, seed=number)
        for name, (low, high) in intervals(found, cell.runs, clusters.effective, rng).items():
            held.setdefault(name, []).append(low <= difference <= high)
            claimed.setdefault(name, []).append(low > 0 or high < 0)
        true.append(round(difference, 6))
        effective.append(clusters.effective)
    return {
        "data": cell.data,
        "kind": cell.kind,
        "n": cell.n,
        "runs": cell.runs,
        "repeats": repeats,
        "supported": (cell.n, cell.runs) in SUPPORTED,
        "components": float(np.mean(effective)),
        "refused": float(np.mean([value < LEAST_COMPONENTS for value in effective]))
        if cell.runs in (1, *range(LEAST_RUNS, 99))
        else 1.0,
        "true_differences": sorted(set(true)) if cell.runs > 1 else None,
        "held": {name: float(np.mean(values)) for name, values in held.items()},
        "claimed": {name: float(np.mean(values)) for name, values in claimed.items()},
        "power": power(true, claimed["twinset"]) if cell.kind == "cover" and cell.runs > 1 else None,
    }


def power(true: list[float], claimed: list[bool]) -> dict[str, float]:
    """The share of claims by the true difference."""
    found: dict[str, float] = {}
    for difference in sorted(set(true)):
        own = [claim for value, claim in zip(true, claimed, strict=True) if value == difference]
        found[f"{difference:+.4f}"] = float(np.mean(own))
    return found


def intervals(
    found: Replicates, cut: int, effective: float, rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """What twinset gives, and the two that it does not."""
    observed, drawn = found.observed[:, 0], found.drawn[:, :, 0]
    ours: Interval = interval(
        (observed[:cut], observed[cut:]), (drawn[:, :cut], drawn[:, cut:]), components=effective
    )
    named = {"twinset": (ours.low, ours.high)}
    if cut > 1:
        picked = [rng.integers(cut, size=(len(drawn), cut)) + start for start in (0, cut)]
        means = [np.take_along_axis(drawn, one, axis=1).mean(axis=1) for one in picked]
        named["seeds resampled"] = _percentiles(means[0] - means[1])
    named["items alone"] = _percentiles(drawn[:, :cut].mean(axis=1) - drawn[:, cut:].mean(axis=1))
    return named


def _percentiles(values: np.ndarray) -> tuple[float, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def _kept(cell: Cell, given: argparse.Namespace) -> dict[str, Any]:
    target = given.out / f"{cell.name}.json"
    if not target.exists():
        found = tried(cell, given.bank, given.repeats)
        unfinished = target.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(found), encoding="utf-8")
        unfinished.rename(target)
    return json.loads(target.read_text(encoding="utf-8"))


def main(arguments: list[str]) -> None:
    """The command line."""
    parser = record.parser(__doc__)
    parser.add_argument("--data", type=Path, help="folder with sts_en/, text_en/, captions/: fills the bank")
    parser.add_argument("--bank", type=Path, required=True, help="folder for what the encoders predict")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished cells")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    if given.data is not None:
        bank.fill(given.bank, given.data)
    cells = [
        Cell(data=data, kind=kind, n=n, runs=runs)
        for n, runs, data, kind in itertools.product(SIZES, RUNS, ("ranking", "sts"), ("null", "cover"))
    ]
    found: list[dict[str, Any]] = []
    with ProcessPoolExecutor(given.processes) as pool:
        for cell, result in zip(cells, pool.map(_kept, cells, [given] * len(cells)), strict=True):
            found.append(result)
            shown = {name: f"{100 * value:.1f}" for name, value in result["held"].items()}
            print(f"{cell.name}: held {shown}, claimed {100 * result['claimed']['twinset']:.1f}%", flush=True)
    record.keep("evidence_calibration", {"repeats": given.repeats, "draws": DRAWS, "cells": found}, given)
