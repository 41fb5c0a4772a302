"""Scenes for steps: tiny encoders of every architecture with dropout on, and a batch that has everything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from tests.encoder.tiny import tiny_model
from tests.views.looks import batch, generator
from twinset.encoder.backbone import Backbone
from twinset.training.quick import quicken
from twinset.training.references import ByEmbedder
from twinset.training.steps import Scene
from twinset.types import Batch, Earlier, Look, Reference
from twinset.views import Compose, EmbeddingDropout, FeatureCutoff, TokenCutoff, TokenShuffle, Unchanged

if TYPE_CHECKING:
    from twinset.encoder.pooling import Pooling
    from twinset.training.steps import Outcome, Step
    from twinset.types import Objective

LENGTHS = ([3, 25, 7, 2, 14, 5], [4, 4, 30, 9, 2, 6], [12, 3, 3, 21, 8, 2])
DIMENSION = 32

VIEWS = (
    Compose(views=(FeatureCutoff(), TokenCutoff(rate=0.3))),
    TokenShuffle(),
    Compose(views=(EmbeddingDropout(), TokenShuffle())),
)


def backbone(
    architecture: str, seed: int = 0, *, dropout: float = 0.1, pooling: Pooling = "mean"
) -> Backbone:
    """A tiny encoder as training has it, all its dropouts at one rate (0: in evaluation mode)."""
    model = tiny_model(architecture, seed)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = dropout
        for name in ("attention_dropout", "dropout_prob", "attention_probs_dropout_prob"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, dropout)
    made = Backbone(model.train(dropout > 0), pooling=pooling)
    quicken(made)
    return made


def looks(*, columns: int = 3, acting: bool = True, width: int) -> tuple[Look, ...]:
    """One look at each column, every operator acting somewhere (or none anywhere)."""
    given = texts(columns)
    draw = generator()
    return tuple(
        (view if acting else Unchanged())(Look(tokens=tokens, column=column), width=width, generator=draw)
        for column, (tokens, view) in enumerate(zip(given.columns, VIEWS, strict=False))
    )


def texts(columns: int = 3) -> Batch:
    """Six rows of texts of very different lengths; two rows of the first column are one text."""
    given = batch(*LENGTHS[:columns])
    ids = given.ids.clone()
    ids[0, 3] = ids[0, 1]
    labels = torch.arange(6) % 3
    return replace(given, ids=ids, labels=labels, scores=torch.linspace(0, 1, 6))


def scene(encoder: Backbone, objective: Objective, **changes: object) -> Scene:
    """The batch, three looks through one encoder, a queue, every reference, own weights as parameters."""
    older = backbone("bert", seed=5, dropout=0)
    make = getattr(objective, "initial_weights", None)
    own = {} if make is None else make(DIMENSION, generator())
    draw = generator(9)
    made = Scene(
        batch=texts(),
        looks=looks(width=encoder.width),
        embedders=(encoder,) * 3,
        objective=objective,
        width=encoder.width,
        weights={name: nn.Parameter(value) for name, value in own.items()},
        earlier=Earlier(
            vectors=torch.randn(4, DIMENSION, generator=draw),
            log_weights=torch.tensor([-0.1, -0.1, -0.7, -0.7]),
            ids=torch.tensor([100, 0, 101, 102]),
            ages=torch.tensor([1, 1, 2, 2]),
        ),
        references={
            Reference.INITIAL: ByEmbedder(embed=_blind_to_masks(older)),
            Reference.LAGGED: ByEmbedder(embed=_blind_to_masks(older)),
            Reference.EMBEDDING_LAYER: ByEmbedder(embed=encoder.embedding_layer),
        },
        seed=11,
    )
    return replace(made, **changes)


def gradients(step: Step, played: Scene) -> tuple[Outcome, dict[str, Tensor]]:
    """What a step leaves in `.grad`, by name; a parameter without one counts as zero."""
    towers = {id(embedder): embedder for embedder in played.embedders if isinstance(embedder, nn.Module)}
    named = {f"own.{name}": value for name, value in played.weights.items()}
    for number, tower in enumerate(towers.values()):
        named |= {f"{number}.{name}": value for name, value in tower.named_parameters()}
    for value in named.values():
        value.grad = None
    outcome = step(played)
    found = {
        name: torch.zeros_like(value) if value.grad is None else value.grad.clone()
        for name, value in named.items()
    }
    return outcome, found


def assert_same(first: dict[str, Tensor], second: dict[str, Tensor], tolerance: float = 1e-5) -> None:
    """Equal to `tolerance`, measured against the largest gradient there is."""
    assert first.keys() == second.keys()
    scale = max(1.0, *(float(value.abs().max()) for value in first.values()))
    for name, value in first.items():
        difference = float((value - second[name]).abs().max())
        assert difference <= tolerance * scale, f"{name}: {difference} apart at scale {scale}"


def _blind_to_masks(older: Backbone):  # noqa: ANN202
    """Another architecture's embedding layer may be narrower: it looks at tokens and order alone."""
    return lambda look: older(Look(tokens=look.tokens, order=look.order))
