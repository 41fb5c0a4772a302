"""Everything that changes while training, in one place the checkpoint writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from twinset.training.checkpoint import Saved
from twinset.types import Earlier


@dataclass(frozen=True, kw_only=True)
class Watched:
    """What the watch said at one moment of the run."""

    update: int
    epoch: float
    scores: Mapping[str, float]


def _no_looks() -> list[Watched]:
    return []


def _no_batches() -> list[Tensor]:
    return []


@dataclass(kw_only=True)
class TrainState:
    """Position, weights, moments, queue and selection. All randomness comes from the position (see
    `twinset.randomness`), so no generator is part of it."""

    backbone: nn.Module
    weights: dict[str, nn.Parameter]
    optimizer: torch.optim.AdamW
    older: nn.Module | None = None
    earlier: Earlier | None = None
    total: int = 0  # updates of the whole run, told by the first epoch's batches
    update: int = 0
    epoch: int = 0
    position: int = 0  # batches of this epoch already learned from
    batches: list[Tensor] = field(default_factory=_no_batches)
    looks: list[Watched] = field(default_factory=_no_looks)
    best: Watched | None = None
    stale: int = 0  # looks since the best one

    def capture(self, facts: Mapping[str, Any]) -> Saved:
        """The whole state as tensors and plain values."""
        tensors = self.learned()
        if self.older is not None:
            tensors |= {f"older.{name}": value for name, value in self.older.state_dict().items()}
        if self.earlier is not None:
            for name in ("vectors", "log_weights", "ids", "ages"):
                tensors[f"earlier.{name}"] = getattr(self.earlier, name)
        for number, moments in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{number}.{name}": value for name, value in moments.items()}
        if self.batches:
            tensors["batches.rows"] = torch.cat(self.batches)
            tensors["batches.sizes"] = torch.tensor([len(batch) for batch in self.batches])
        own = {
            "total": self.total,
            "update": self.update,
            "epoch": self.epoch,
            "position": self.position,
            "looks": [vars(look) for look in self.looks],
            "best": None if self.best is None else vars(self.best),
            "stale": self.stale,
        }
        return Saved(tensors=tensors, facts={**facts, "state": own})

    def learned(self) -> dict[str, Tensor]:
        """What is being taught: the encoder's weights and the objective's own."""
        tensors = {f"model.{name}": value for name, value in self.backbone.state_dict().items()}
        return tensors | {f"weights.{name}": value.detach() for name, value in self.weights.items()}

    def relearn(self, tensors: Mapping[str, Tensor]) -> None:
        """Take up what `learned` gave."""
        self.backbone.load_state_dict(_under(tensors, "model"))
        with torch.no_grad():
            for name, value in _under(tensors, "weights").items():
                self.weights[name].copy_(value)

    def restore(self, saved: Saved) -> None:
        """Become what was captured."""
        self.relearn(saved.tensors)
        if self.older is not None:
            self.older.load_state_dict(_under(saved.tensors, "older"))
        earlier = _under(saved.tensors, "earlier")
        device = next(self.backbone.parameters()).device
        self.earlier = Earlier(**{k: v.to(device) for k, v in earlier.items()}) if earlier else None
        self._restore_moments(saved.tensors)
        rows = saved.tensors.get("batches.rows")
        if rows is not None:
            self.batches = list(rows.split(saved.tensors["batches.sizes"].tolist()))
        own = saved.facts["state"]
        self.total, self.update = own["total"], own["update"]
        self.epoch, self.position = own["epoch"], own["position"]
        self.looks = [Watched(**look) for look in own["looks"]]
        self.best = None if own["best"] is None else Watched(**own["best"])
        self.stale = own["stale"]

    def _restore_moments(self, tensors: Mapping[str, Tensor]) -> None:
        moments: dict[int, dict[str, Tensor]] = {}
        for key, value in _under(tensors, "optimizer").items():
            number, name = key.split(".", 1)
            moments.setdefault(int(number), {})[name] = value
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": moments})


def _under(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors whose names begin with `prefix.`, without it."""
    start = prefix + "."
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}
