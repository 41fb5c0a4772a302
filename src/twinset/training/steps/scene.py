"""What every step is handed, and what it hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor

from twinset.randomness import seed_of
from twinset.types import (
    Batch,
    Earlier,
    Embedded,
    Embedder,
    Look,
    Loss,
    Objective,
    Reference,
    ReferenceSource,
    moved,
)


def _no_weights() -> Mapping[str, Tensor]:
    return {}


def _no_sources() -> Mapping[Reference, ReferenceSource]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One batch about to be learned from. Two encoders are two entries in `embedders`: one for each look.

    width: size of the embedding layer. seed: where this step's dropout masks come from. chunk_tokens: at
    most so many tokens go through an encoder at once (None: all of them), padding included unless the
    encoders pack short texts into rows (packed). It bounds a cached step's memory and saves a plain step's
    padding; the objective never sees it.
    """

    batch: Batch
    looks: tuple[Look, ...]
    embedders: tuple[Embedder, ...]
    objective: Objective
    width: int
    weights: Mapping[str, Tensor] = field(default_factory=_no_weights)
    earlier: Earlier | None = None
    references: Mapping[Reference, ReferenceSource] = field(default_factory=_no_sources)
    seed: int = 0
    chunk_tokens: int | None = None
    packed: bool = False

    def embedded(self, views: tuple[Tensor, ...]) -> Embedded:
        """The record for the objective, references looked up where it needs them."""
        references = {kind: self._reference(kind) for kind in sorted(self.objective.needs.references)}
        device, batch = views[0].device, self.batch
        return Embedded(
            views=views,
            ids=moved(batch.ids[[look.column for look in self.looks]], device),
            labels=None if batch.labels is None else moved(batch.labels, device),
            scores=None if batch.scores is None else moved(batch.scores, device),
            earlier=self.earlier,
            weights=self.weights,
            references=references,
        )

    @torch.no_grad()
    def _reference(self, kind: Reference) -> Tensor:
        # Its own masks: without a seed they would depend on how the looks before were cut into chunks.
        torch.manual_seed(seed_of(self.seed, "reference", kind))
        return self.references[kind](self.looks, self.batch)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a step found: the loss and the vectors, without gradient. The gradients lie in `.grad`."""

    loss: Loss
    embedded: Embedded


class Step(Protocol):
    """One way to get an objective's gradient into the parameters' `.grad` (added to what is there)."""

    def __call__(self, scene: Scene) -> Outcome: ...
