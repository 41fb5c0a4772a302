"""twinset trains: one epoch of SimCSE from texts to weights, tokenising included."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import twinset as ts
from benchmarks.rig.plain_loop import padded, without_engine
from benchmarks.rig.worker import Go
from twinset.encoder import Encoder
from twinset.training import Recording, loop
from twinset.training.steps import Cached, Plain


def prepare(settings: dict[str, Any]) -> Go:
    """folder, texts, max_length, batch_size; engine: on, padded or off; precision; step: plain or cached;
    warm: how many texts are trained on beforehand."""
    encoder = Encoder.from_pretrained(settings["folder"], max_length=settings["max_length"])
    recipe = recipe_of(settings)
    if settings["engine"] != "on":
        encoder, recipe = padded(encoder, recipe)
    texts: list[str] = json.loads(Path(settings["texts"]).read_text(encoding="utf-8"))
    taking_out = without_engine if settings["engine"] == "off" else nullcontext

    def go(order: dict[str, Any]) -> dict[str, Any]:
        with taking_out(), clocked() as tokenising:
            began = time.perf_counter()
            run = ts.train(
                encoder, texts, recipe, seed=order.get("round", 0), recording=Recording(progress=False)
            )
            seconds = time.perf_counter() - began
        return {"seconds": seconds, "tokenising": tokenising[0], "updates": run.updates}

    if settings.get("warm"):
        with taking_out():
            ts.train(encoder, texts[: settings["warm"]], recipe, recording=Recording(progress=False))
    return go


def recipe_of(settings: dict[str, Any]) -> ts.Recipe:
    """One epoch of SimCSE, its loss in one direction as the peer's is."""
    base = ts.recipes.simcse()
    return replace(
        base,
        objective=replace(base.objective, directions="one", mask_duplicates=False),
        batch_size=settings["batch_size"],
        step=Cached() if settings.get("step") == "cached" else Plain(),
        max_length=settings["max_length"],
        precision=settings["precision"],
        epochs=1,
    )


@contextmanager
def clocked() -> Generator[list[float]]:
    """Seconds that a run spends tokenising."""
    spent = [0.0]
    tokenised: Callable[..., Any] = loop.tokenised

    def timed(*arguments: Any, **settings: Any) -> Any:  # noqa: ANN401 - whatever it takes and gives
        began = time.perf_counter()
        found = tokenised(*arguments, **settings)
        spent[0] += time.perf_counter() - began
        return found

    with patch("twinset.training.loop.tokenised", timed):
        yield spent
