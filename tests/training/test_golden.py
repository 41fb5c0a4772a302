"""Twenty updates of two recipes on a tiny random encoder: the losses of every one, as once written down.

A change of any draw, any formula or any order shows here. Where the change is meant, write them anew:

    python -m tests.training.test_golden
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from tests.training.runs import journal, quick, run
from twinset.objectives import InfoNCE, NTXent
from twinset.training import AdamW, Recipe
from twinset.views import DropoutTwice, FeatureCutoff, Pair, TokenShuffle

FILE = Path(__file__).with_name("golden_losses.json")


def recipes() -> dict[str, Recipe]:
    return {
        "simcse": quick(views=DropoutTwice(), objective=InfoNCE(temperature=0.05), steps=20),
        "consert": quick(
            views=Pair(FeatureCutoff(rate=0.2), TokenShuffle()),
            objective=NTXent(temperature=0.1),
            optimizer=AdamW(eps=1e-6, bias_correction=False),
            dropout=0,
            learning_rate=2e-4,
            evaluation_pooling="last_two",
            steps=20,
        ),
    }


def losses(recipe: Recipe, folder: Path) -> list[float]:
    run(recipe, out=folder)
    return [line["loss"] for line in journal(folder)]


@pytest.mark.parametrize("name", sorted(recipes()))
def test_losses_are_those_written_down(name: str, tmp_path: Path) -> None:
    found = losses(recipes()[name], tmp_path / "run")
    expected = json.loads(FILE.read_text())[name]
    assert len(expected) == 20
    assert found == pytest.approx(expected, rel=1e-4)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        fresh = {name: losses(recipe, Path(root) / name) for name, recipe in recipes().items()}
    FILE.write_text(json.dumps(fresh, indent=1) + "\n")
