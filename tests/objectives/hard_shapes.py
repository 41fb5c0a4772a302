"""Objectives that ask for everything an objective may ask for, and a record that has all of it.

They live in the tests alone. Each stands for a family that must fit through the joint without a patch:
`Head` (labels, graded scores, a third view, a head of its own), `Temperature` (one learned number),
`Remember` (similarities under older weights and at the embedding layer).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, cross_entropy, mse_loss

from twinset.objectives import AnyObjective, InfoNCE, NTXent, Weighted, WeightedSum
from twinset.objectives.similarity import cosine
from twinset.types import Earlier, Embedded, Loss, Needs, Reference

if TYPE_CHECKING:
    from twinset.types import Objective


@dataclass(frozen=True, kw_only=True)
class Head:
    """-log softmax(W [u; v; |u - v|] + b)_label + (cos(u, w) - score)^2."""

    weights_learning_rate: float | None = 1e-3

    @property
    def needs(self) -> Needs:
        return Needs(views=3, labels=True, scores=True)

    def initial_weights(self, dimension: int, generator: torch.Generator) -> Mapping[str, Tensor]:
        return {"matrix": torch.randn(3, 3 * dimension, generator=generator), "bias": torch.zeros(3)}

    def __call__(self, batch: Embedded) -> Loss:
        assert batch.labels is not None
        assert batch.scores is not None
        u, v, w = batch.views[:3]
        features = torch.cat([u, v, (u - v).abs()], dim=1)
        classes = features @ batch.weights["matrix"].to(u.dtype).T + batch.weights["bias"].to(u.dtype)
        head = cross_entropy(classes, batch.labels)
        graded = mse_loss(cosine_similarity(u, w), batch.scores.to(u.dtype))
        return Loss(value=head + graded, parts={"head": head.detach(), "graded": graded.detach()})


@dataclass(frozen=True, kw_only=True)
class Temperature:
    """InfoNCE whose 1 / tau = exp(a) is learned."""

    weights_learning_rate: float | None = 0.1

    @property
    def needs(self) -> Needs:
        return Needs()

    def initial_weights(self, dimension: int, generator: torch.Generator) -> Mapping[str, Tensor]:
        return {"a": torch.tensor(1.5)}

    def __call__(self, batch: Embedded) -> Loss:
        logits = cosine(batch.views[0], batch.views[1]) * batch.weights["a"].exp()
        value = cross_entropy(logits, torch.arange(len(batch)))
        return Loss(value=value, parts={"temperature": value.detach()})


@dataclass(frozen=True, kw_only=True)
class Remember:
    """mean (s - s_initial)^2 + mean (s - s_embedding_layer)^2 over all views' similarities s (v, v, n)."""

    @property
    def needs(self) -> Needs:
        return Needs(references=frozenset({Reference.INITIAL, Reference.EMBEDDING_LAYER}))

    def __call__(self, batch: Embedded) -> Loss:
        unit = torch.nn.functional.normalize(torch.stack(batch.views), dim=-1)
        now = torch.einsum("and,bnd->abn", unit, unit)
        kinds = sorted(self.needs.references)
        terms = [mse_loss(now, batch.references[kind].to(now.dtype)) for kind in kinds]
        value = torch.stack(terms).sum()
        return Loss(value=value, parts={"remember": value.detach()})


_SUM = WeightedSum(
    parts=(
        Weighted(objective=NTXent(), weight=0.5, views=(0, 2)),
        Weighted(objective=Head(), weight=2.0),
        Weighted(objective=WeightedSum(parts=(Weighted(objective=InfoNCE()),)), weight=0.3, views=(1, 0)),
    )
)

_CHOSEN: dict[type, tuple[Objective, ...]] = {
    InfoNCE: (InfoNCE(), InfoNCE(directions="both", temperature=0.2, mask_duplicates=False)),
    NTXent: (NTXent(), NTXent(reduction="sum_of_directions", mask_duplicates=False)),
    WeightedSum: (_SUM,),
}


def members(union: object) -> tuple[type, ...]:
    """The classes of a typed union."""
    return get_args(union)


def every_objective() -> dict[str, Objective]:
    """Each member of the union by name, as set above or else with its defaults, and the hard ones."""
    found: dict[str, Objective] = {}
    for member in members(AnyObjective):
        for number, objective in enumerate(_CHOSEN.get(member) or (member(),)):
            found[f"{member.__name__}-{number}"] = objective
    return {**found, "Head": Head(), "Temperature": Temperature(), "Remember": Remember()}


def record(*, rows: int = 5, width: int = 4, seed: int = 0, own: Objective | None = None) -> Embedded:
    """A float64 record with everything: three views, labels, scores, a queue, references, own weights.

    Rows 1 and 3 of the first column are one text, and the queue's second vector is row 0's.
    """
    draw = torch.Generator().manual_seed(seed)
    ids = torch.arange(3 * rows).view(3, rows)
    ids[0, 3] = ids[0, 1]
    queue = torch.randn(4, width, generator=draw, dtype=torch.float64)
    earlier = Earlier(
        vectors=queue,
        log_weights=torch.tensor([-0.1, -0.1, -0.7, -0.7]).double(),
        ids=torch.tensor([100, 0, 101, 102]),
        ages=torch.tensor([1, 1, 2, 2]),
    )
    references = {
        kind: torch.rand(3, 3, rows, generator=draw, dtype=torch.float64) * 2 - 1 for kind in Reference
    }
    make = getattr(own, "initial_weights", None)
    return Embedded(
        views=tuple(torch.randn(rows, width, generator=draw, dtype=torch.float64) for _ in range(3)),
        ids=ids,
        labels=torch.arange(rows) % 3,
        scores=torch.linspace(0, 1, rows, dtype=torch.float64),
        earlier=earlier,
        weights={} if make is None else {name: value.double() for name, value in make(width, draw).items()},
        references=references,
    )
