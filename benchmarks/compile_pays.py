"""Whether compiled layers pay: updates with and without, in turns, and what the compiling costs first.

The built-in encoder, batches of 64 sentences, both recipes, each in both formats. Wall seconds are right on
an idle machine, processor seconds on a busy one, too.

    python -m benchmarks compile_pays --data DIR --updates 60 --keep
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

import twinset as ts
from benchmarks import record
from twinset.data import Dataset
from twinset.training.corpus import tokenised
from twinset.training.learner import Learner

WARM_UP = 15
"""Updates until every variant that comes up now and then has been compiled."""


class Timed:
    """A learner whose updates are timed: (loss, wall, processor) each."""

    def __init__(self, data: Dataset, recipe: ts.Recipe, precision: str) -> None:
        encoder = ts.Encoder.mini()
        began = time.perf_counter(), time.process_time()
        corpus = tokenised(encoder, data, recipe.max_length)
        self.learner = Learner(encoder, corpus, recipe, 0, precision)  # type: ignore[arg-type]
        self.setup = time.perf_counter() - began[0], time.process_time() - began[1]
        self.learner.state.batches = self.learner.epoch_batches(0)
        self.learner.state.total = len(self.learner.state.batches)
        self.updates: list[tuple[float, float, float]] = []

    def update(self) -> None:
        state = self.learner.state
        wall, processor = time.perf_counter(), time.process_time()
        loss, _ = self.learner.learn(state.batches[state.position], 1.0)
        value = float(loss.value)
        self.updates.append((value, time.perf_counter() - wall, time.process_time() - processor))

    def median(self, column: int) -> float:
        return statistics.median(each[column] for each in self.updates[WARM_UP:])

    def spent(self, column: int) -> float:
        """Seconds of set-up and warm-up."""
        return self.setup[column - 1] + sum(each[column] for each in self.updates[:WARM_UP])


def compare(name: str, data: Dataset, precision: str, updates: int) -> dict[str, Any]:
    """One recipe in one format."""
    recipe = replace(getattr(ts.recipes, name)(), batch_size=64)
    torch.compiler.reset()
    plain, compiled = (Timed(data, replace(recipe, compile=each), precision) for each in (False, True))
    for _ in range(WARM_UP + updates):
        plain.update()
        compiled.update()
    apart = max(abs(a[0] - b[0]) for a, b in zip(plain.updates, compiled.updates, strict=True))
    saved = plain.median(2) - compiled.median(2)
    first = compiled.spent(2) - plain.spent(2)
    return {
        "recipe": name,
        "precision": precision,
        "updates": updates,
        "plain": {"wall": plain.median(1), "processor": plain.median(2)},
        "compiled": {"wall": compiled.median(1), "processor": compiled.median(2)},
        "first, processor": first,
        "first, wall": compiled.spent(1) - plain.spent(1),
        "pays after updates": first / saved if saved > 0 else None,
        "largest difference of a loss": apart,
    }


def main(arguments: list[str]) -> int:
    """Exit code 0 whatever it finds."""
    options = record.parser(__doc__)
    options.add_argument("--data", type=Path, required=True, help="folder with text_en/")
    options.add_argument("--updates", type=int, default=60, help="timed updates after the warm-up (60)")
    options.add_argument("--recipes", nargs="+", default=["simcse", "consert"])
    options.add_argument("--precisions", nargs="+", default=["fp32", "bf16"])
    given = options.parse_args(arguments)
    count = 64 * (WARM_UP + given.updates)
    data = ts.data.read_sentences(given.data / "text_en" / "wiki_sentences.parquet", limit=count)
    rows = []
    for name in given.recipes:
        for precision in given.precisions:
            row = compare(name, data, precision, given.updates)
            rows.append(row)
            plain, compiled = row["plain"], row["compiled"]
            after = row["pays after updates"]
            print(
                f"{name:8} {precision}: {plain['processor']:.3f} s an update, compiled "
                f"{compiled['processor']:.3f} (x{plain['processor'] / compiled['processor']:.3f}; wall "
                f"{plain['wall']:.3f}, {compiled['wall']:.3f}); first {row['first, processor']:.0f} s, "
                f"{'never pays' if after is None else f'pays after {after:.0f} updates'}; losses at most "
                f"{row['largest difference of a loss']:.1e} apart",
                flush=True,
            )
    record.keep("compile_pays", {"threads": torch.get_num_threads(), "rows": rows}, given)
    return 0
