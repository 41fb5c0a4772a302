"""`twinset evaluate --baselines`: what the encoder must beat, made from what it was before training."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from twinset.cli.model import load_model
from twinset.cli.output import say

if TYPE_CHECKING:
    from twinset.baselines import Beside
    from twinset.evaluation import Progress, Suite, SuiteScores


def beside(
    scores: SuiteScores,
    model: str,
    suite: Suite,
    *,
    backend: str,
    max_length: int | None,
    progress: Progress | None,
) -> Beside:
    """The scores, and those of every baseline on the same suite."""
    from twinset.baselines import Beside, texts_of, to_beat
    from twinset.evaluation import evaluate

    name = raw_name(model)
    if name != model:
        say(f"Baselines are made from {name}, which {model} began with.")
    raw = load_model(name, max_length=max_length, backend=backend)
    systems = to_beat(raw, texts_of(suite), progress=progress)
    return Beside(encoder=scores, baselines=tuple(evaluate(system, suite) for system in systems))


def raw_name(model: str) -> str:
    """What a run began with; any other model is taken for raw."""
    file = Path(model).expanduser() / "run.toml"
    if not file.is_file():
        return model
    return str(tomllib.loads(file.read_text(encoding="utf-8")).get("encoder", model))
