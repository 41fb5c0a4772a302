"""twinset takes training steps one by one, to be timed or profiled: with its engine, or without."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from torch import Tensor
from torch.profiler import ProfilerActivity, profile, record_function

from benchmarks.rig.kinds import STEP, scopes, shares
from benchmarks.rig.plain_loop import padded, without_engine
from benchmarks.rig.worker import Go
from benchmarks.systems.train_ours import recipe_of
from twinset.data import read_sentences
from twinset.encoder import Encoder
from twinset.encoder.allocator import keeping_memory
from twinset.encoder.precision import resolve
from twinset.training.learner import Learner
from twinset.training.loop import tokenised


def prepare(settings: dict[str, Any]) -> Go:
    """As train_ours; engine: on or off; steps: how many are taken at an order."""
    encoder = Encoder.from_pretrained(settings["folder"], max_length=settings["max_length"]).copy()
    recipe = recipe_of(settings)
    life = ExitStack()  # as long as the process
    if settings["engine"] == "off":
        life.enter_context(without_engine())
        encoder, recipe = padded(encoder, replace(recipe, precision="fp32"))
    else:
        life.enter_context(keeping_memory())
    texts: list[str] = json.loads(Path(settings["texts"]).read_text(encoding="utf-8"))
    corpus = tokenised(encoder, read_sentences(texts), recipe.max_length)
    learner = Learner(encoder, corpus, recipe, 0, resolve(recipe.precision, encoder.device))
    batches = endless(learner)

    def take(steps: int) -> float:
        began = time.perf_counter()
        for _ in range(steps):
            learner.learn(next(batches), 1.0)
        return time.perf_counter() - began

    def go(order: dict[str, Any]) -> dict[str, Any]:
        _ = life  # the engine's settings stay for as long as this function does
        if not order.get("profile"):
            return {"seconds": take(settings["steps"]) / settings["steps"]}
        with scopes(), profile(activities=[ProfilerActivity.CPU]) as profiled, record_function(STEP):
            take(settings["steps"])
        return {"shares": shares(profiled.events())}

    take(2)
    return go


def endless(learner: Learner) -> Iterator[Tensor]:
    """Batch after batch, epoch after epoch."""
    for epoch in count():
        yield from learner.epoch_batches(epoch)
