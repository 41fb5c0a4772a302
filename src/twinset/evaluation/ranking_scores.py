"""What an encoder scores on queries: where the right answers stand, query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import json_number
from twinset.evaluation.items import Averaged
from twinset.evaluation.metrics import Places, ranking_metric
from twinset.evaluation.task import TaskKind

SHOWN = (
    "map",
    "mrr",
    "mrr@10",
    "ndcg@10",
    "has_positive@1",
    "has_positive@5",
    "has_positive@10",
    "recall@10",
    "recall@100",
)
"""Metrics that are always given; any other can be asked for by its name (`ranking_metric`)."""


@dataclass(frozen=True, kw_only=True)
class RankingScores:
    """places: of each query, the ranks and gains of its relevant candidates. metric: the headline's name.

    From the places every metric follows: that is why they are kept, and not the rankings themselves. known:
    values that were worked out before.
    """

    task: str
    pooling: str
    places: tuple[Places, ...]
    metric: str
    clusters: np.ndarray
    fingerprint: str = ""
    notes: tuple[str, ...] = ()
    known: dict[str, np.ndarray] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranking_metric(self.metric)
        if not self.places:
            raise RequestError(f"{self.task}: no query has a relevant document; there is nothing to score")

    @property
    def kind(self) -> TaskKind:
        """Rankings, of candidates or of a whole collection."""
        return "ranking"

    def __len__(self) -> int:
        return len(self.places)

    @property
    def value(self) -> float:
        """The headline's mean over the queries."""
        return float(self.values(self.metric).mean())

    @property
    def metrics(self) -> Mapping[str, float]:
        """The headline, and those in `SHOWN`."""
        names = dict.fromkeys((self.metric, *SHOWN))
        return {name: float(self.values(name).mean()) for name in names}

    def values(self, metric: str) -> np.ndarray:
        """Values (n,) of any metric by its name, one a query."""
        if metric not in self.known:
            measure = ranking_metric(metric)
            self.known[metric] = np.array([measure(found) for found in self.places], dtype=np.float64)
        return self.known[metric]

    def items(self, metric: str | None = None) -> Averaged:
        """Give the queries' values."""
        name = metric or self.metric
        return Averaged(metric=name, values=self.values(name))

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        return {
            "queries": len(self),
            "metric": self.metric,
            "metrics": {name: json_number(value) for name, value in self.metrics.items()},
            "notes": list(self.notes),
        }

    def facts(self) -> dict[str, object]:
        """The headline's name, and what was left out."""
        return {"metric": self.metric, "notes": list(self.notes)}

    def found(self) -> object:
        """Ranks and gains; the rank of what was not found is null."""
        return {
            "ranks": [
                [int(rank) if np.isfinite(rank) else None for rank in found.ranks] for found in self.places
            ],
            "gains": [found.gains.tolist() for found in self.places],
        }
