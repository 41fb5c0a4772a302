"""Several objectives on the same vectors, from one forward pass.

    L = sum_k w_k L_k

>>> import torch
>>> from twinset.objectives import InfoNCE, NTXent
>>> from twinset.types import Embedded
>>> batch = Embedded(views=(torch.eye(2), torch.eye(2)), ids=torch.arange(2).expand(2, 2))
>>> parts = (Weighted(weight=1.0, objective=NTXent()), Weighted(weight=0.5, objective=InfoNCE()))
>>> sorted(WeightedSum(parts=parts)(batch).parts)
['0.nt_xent', '1.infonce']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

import torch
from torch import Tensor

from twinset.errors import RecipeError
from twinset.types import Embedded, Learned, Loss, Needs, Objective

if TYPE_CHECKING:
    from twinset.objectives import AnyObjective  # noqa: TC004 - the room imports this file


@dataclass(frozen=True, kw_only=True)
class Weighted:
    """One term of the sum. `views`: which of the batch's views it is given, in this order (None: all)."""

    objective: AnyObjective
    weight: float = 1.0
    views: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.views is not None and (not self.views or min(self.views) < 0):
            raise RecipeError(f"views: {self.views} does not name views; they count from 0")


@dataclass(frozen=True, kw_only=True)
class WeightedSum:
    """Each part sees the whole batch, or the views named; their own weights are kept apart by number.

    weights_learning_rate: of all parts' own weights (None: what the parts ask for, if they agree).
    """

    parts: tuple[Weighted, ...]
    weights_learning_rate: float | None = None

    def __post_init__(self) -> None:
        if not self.parts:
            raise RecipeError("parts: a weighted sum needs at least one objective")
        if self.weights_learning_rate is None:
            object.__setattr__(self, "weights_learning_rate", self._agreed_learning_rate())

    def _agreed_learning_rate(self) -> float | None:
        asked = [part.objective for part in self.parts]
        rates = {each.weights_learning_rate for each in asked if has_weights(each)}
        if len(rates) > 1:
            listed = ", ".join(sorted(str(rate) for rate in rates))
            raise RecipeError(f"weights_learning_rate: the parts ask for different ones ({listed}); name one")
        return rates.pop() if rates else None

    @property
    def needs(self) -> Needs:
        wishes = [part.objective.needs for part in self.parts]
        counts = [
            wish.views if part.views is None else max(part.views) + 1
            for part, wish in zip(self.parts, wishes, strict=True)
        ]
        most = [
            wish.most_views
            for part, wish in zip(self.parts, wishes, strict=True)
            if part.views is None and wish.most_views is not None
        ]
        return Needs(
            views=max(counts),
            most_views=min(most, default=None),
            labels=any(wish.labels for wish in wishes),
            scores=any(wish.scores for wish in wishes),
            references=frozenset().union(*(wish.references for wish in wishes)),
            earlier=any(wish.earlier for wish in wishes),
        )

    def alone(self, number: int) -> Objective:
        """One part by itself, under the weights that it has in the sum."""
        return _Alone(of=self, number=number)

    def initial_weights(self, dimension: int, generator: torch.Generator) -> Mapping[str, Tensor]:
        found: dict[str, Tensor] = {}
        for number, part in enumerate(self.parts):
            if isinstance(part.objective, Learned):
                own = part.objective.initial_weights(dimension, generator)
                found.update({f"{number}.{name}": value for name, value in own.items()})
        return found

    def __call__(self, batch: Embedded) -> Loss:
        parts: dict[str, Tensor] = {}
        values: list[Tensor] = []
        for number, part in enumerate(self.parts):
            loss = part.objective(_share(batch, number, part.views))
            values.append(part.weight * loss.value)
            parts.update({f"{number}.{name}": value for name, value in loss.parts.items()})
        return Loss(value=torch.stack(values).sum(), parts=parts)


@dataclass(frozen=True, kw_only=True)
class _Alone:
    of: WeightedSum
    number: int

    @property
    def needs(self) -> Needs:
        return replace(self.of, parts=(self.of.parts[self.number],)).needs

    def __call__(self, batch: Embedded) -> Loss:
        part = self.of.parts[self.number]
        return part.objective(_share(batch, self.number, part.views))


def has_weights(objective: Objective) -> TypeGuard[Learned]:
    """A sum is `Learned` in shape, and in fact if one of its parts is."""
    if isinstance(objective, WeightedSum):
        return any(has_weights(part.objective) for part in objective.parts)
    return isinstance(objective, Learned)


def _share(batch: Embedded, number: int, views: tuple[int, ...] | None) -> Embedded:
    prefix = f"{number}."
    weights = {
        name.removeprefix(prefix): value for name, value in batch.weights.items() if name.startswith(prefix)
    }
    if views is None:
        return replace(batch, weights=weights)
    chosen = list(views)
    return replace(
        batch,
        views=tuple(batch.views[view] for view in chosen),
        ids=batch.ids[chosen],
        references={kind: value[chosen][:, chosen] for kind, value in batch.references.items()},
        weights=weights,
    )
