"""One number an item, from somebody else's tool: nothing is known of how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import json_number
from twinset.evaluation.items import Averaged
from twinset.evaluation.task import TaskKind


@dataclass(frozen=True, kw_only=True)
class ValueScores:
    """numbers (n,): a metric's value for each item, whose mean is the score; higher is better."""

    task: str
    pooling: str
    metric: str
    numbers: np.ndarray
    clusters: np.ndarray
    fingerprint: str = ""
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> TaskKind:
        """Bare values."""
        return "values"

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def value(self) -> float:
        """The mean."""
        return float(self.numbers.mean())

    @property
    def metrics(self) -> Mapping[str, float]:
        """The mean under its name."""
        return {self.metric: self.value}

    def items(self, metric: str | None = None) -> Averaged:
        """Give the numbers."""
        if metric not in (None, self.metric):
            raise RequestError(f"{self.task}: no metric {metric!r}; there is {self.metric}")
        return Averaged(metric=self.metric, values=self.numbers)

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        return {"items": len(self), "metric": self.metric, "metrics": {self.metric: json_number(self.value)}}

    def facts(self) -> dict[str, object]:
        """The metric's name."""
        return {"metric": self.metric}

    def found(self) -> object:
        """The numbers."""
        return [float(number) for number in self.numbers]
