"""How long a cell will take, from some updates of it and one evaluation, before anything is begun."""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from twinset.data import Dataset
from twinset.encoder import Encoder
from twinset.errors import WorkError
from twinset.recipes import RunFile
from twinset.recipes.sources import check_fit, training_data, watch
from twinset.studies.clock import since_start
from twinset.studies.order import TEST, Order
from twinset.studies.tested import read_test, score
from twinset.training import train
from twinset.training.journal import JOURNAL

UPDATES = 12
"""Updates of a probe; the first third, while everything is cold, is left out."""


def probe(order: Order) -> None:
    """Measure in the order's folder, and print the seconds that the whole cell would take."""
    sys.stdout.write(json.dumps({"seconds": measured(order)}) + "\n")
    sys.stdout.flush()


def measured(order: Order) -> float:
    """Starting, all updates, all looks at dev, the test."""
    wanted, folder = order.wanted, Path(order.folder)
    learned = training_data(wanted.data)
    check_fit(learned, wanted.recipe)
    watched = watch(wanted.data)
    suite = None if order.test is None else read_test(order.test)
    recipe = replace(wanted.recipe, steps=order.probe or UPDATES)
    encoder = Encoder.from_pretrained(wanted.encoder)
    run = train(
        encoder,
        learned,
        recipe,
        seed=wanted.seed,
        out=folder / "run",
        recording=replace(wanted.recording, log_every=1, progress=False),
    )
    updates = _update_seconds(folder / "run" / JOURNAL, recipe.batch_size, len(learned.columns))
    ready = max(0.0, since_start() - sum(updates))
    look = 0.0 if watched is None else _took(lambda: watched(run.encoder))
    test = 0.0 if suite is None else _took(lambda: score(run.encoder, suite, folder / TEST))
    each = statistics.median(updates[len(updates) // 3 :])
    number = _updates(wanted, learned)
    return ready + number * each + _looks(wanted, number) * look + test


def _updates(wanted: RunFile, learned: Dataset) -> int:
    return wanted.recipe.updates(math.ceil(len(learned) / wanted.recipe.batch_size))


def _looks(wanted: RunFile, updates: int) -> float:
    """At dev: before, meanwhile, and once more of the finished encoder."""
    every = wanted.recipe.select.every
    return 2 + max(1.0, wanted.recipe.epochs if every is None else updates / every)


def _update_seconds(journal: Path, batch: int, columns: int) -> list[float]:
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    speeds = [line["sentences_per_second"] for line in lines if line.get("sentences_per_second")]
    if not speeds:
        raise WorkError(f"{journal}: the probe made no update that could be timed")
    return [batch * columns / speed for speed in speeds]


def _took(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began
