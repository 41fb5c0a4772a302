"""What the tests of training share: a tiny encoder's data, a watch, and a run that takes half a second."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from tests.encoder.tiny import tiny_encoder
from twinset.data import Sentences
from twinset.encoder import Encoder
from twinset.objectives import InfoNCE
from twinset.training import Recipe, Recording, Run, train
from twinset.training.disk import Disk
from twinset.types import Embedded, Loss, Needs

_WHO = ("the cat", "a dog", "my neighbour", "the printer", "a red car", "the band", "an old man", "our team")
_WHAT = (
    "sat on the mat",
    "runs in the park",
    "does not work any more",
    "is parked in the street",
    "plays guitar",
    "lost the key to the house again",
    "came home late",
    "likes rain",
)
TEXTS = [f"{who} {what}" for who in _WHO for what in _WHAT]
DATA = Sentences(TEXTS)
TIMES = ("sentences_per_second", "memory_mib")


def watch(encoder: Encoder) -> Mapping[str, float]:
    """Scores that every update changes; the first one rises, so that the best weights are late ones."""
    vectors = encoder.encode(TEXTS[:24], normalize=True)
    return {"first": float(vectors[0, 0]), "spread": -float((vectors @ vectors.T).mean())}


def told(*scores: float) -> Callable[[Encoder], Mapping[str, float]]:
    """A watch that says these scores one after the other, whatever the encoder."""
    waiting = list(scores)
    return lambda encoder: {"score": waiting.pop(0)}


def quick(**settings: object) -> Recipe:
    """16 updates in two epochs of 64 texts, with a rate that moves a tiny encoder."""
    return Recipe(**{"batch_size": 8, "learning_rate": 1e-3, "epochs": 2, "precision": "fp32", **settings})


def quiet(**settings: object) -> Recording:
    return Recording(**{"log_every": 1, "progress": False, **settings})


def run(recipe: Recipe | None = None, encoder: Encoder | None = None, **settings: object) -> Run:
    """Train a new tiny BERT on the texts."""
    encoder = encoder or tiny_encoder("bert")
    settings = {"recording": quiet(), "data": DATA, **settings}
    return train(encoder, recipe=recipe or quick(), **settings)


def weights(encoder: Encoder) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in encoder.backbone.state_dict().items()}


def same_weights(first: Mapping[str, torch.Tensor], second: Mapping[str, torch.Tensor]) -> bool:
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def journal(folder: Path) -> list[dict[str, Any]]:
    """The run's journal without the fields that tell of time and memory."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name not in TIMES} for line in lines]


class Stopped(BaseException):
    """Like a kill: no handler of the code under test takes it."""


class StoppingDisk(Disk):
    """Stops the run at its `number`th file operation of one kind ("write", "append", "sync", "rename",
    "remove"), before it is done."""

    def __init__(self, kind: str, number: int, error: BaseException | None = None) -> None:
        self.kind, self.number, self.error = kind, number, error or Stopped()
        self.done: list[tuple[str, str]] = []

    def _due(self, kind: str, path: Path) -> None:
        self.done.append((kind, path.name))
        if kind == self.kind and sum(each == kind for each, _ in self.done) == self.number:
            raise self.error

    def write(self, path: Path, content: bytes) -> None:
        self._due("write", path)
        super().write(path, content)

    def append(self, path: Path, content: bytes) -> None:
        self._due("append", path)
        super().append(path, content)

    def sync(self, path: Path) -> None:
        self._due("sync", path)
        super().sync(path)

    def rename(self, source: Path, target: Path) -> None:
        self._due("rename", target)
        super().rename(source, target)

    def remove(self, path: Path) -> None:
        self._due("remove", path)
        super().remove(path)


class BreaksAt:
    """An objective whose loss is no number at its `number`th call."""

    def __init__(self, number: int, inner: InfoNCE | None = None, *, value: float = float("nan")) -> None:
        self.number, self.calls, self.value = number, 0, value
        self.inner = inner or InfoNCE()

    needs = Needs(views=2)

    def __repr__(self) -> str:
        return "BreaksAt()"

    def __call__(self, batch: Embedded) -> Loss:
        self.calls += 1
        loss = self.inner(batch)
        return Loss(value=loss.value * self.value, parts=loss.parts) if self.calls == self.number else loss
