"""What an encoder scores on labelled pairs, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import json_number
from twinset.evaluation.items import Classified, Decision
from twinset.evaluation.metrics import accuracy, average_precision_score, f1
from twinset.evaluation.task import TaskKind

SELECTED = "the threshold was chosen on the scored pairs themselves: F1 and accuracy are too high"


@dataclass(frozen=True, kw_only=True)
class PairScores:
    """labels (n,) bool, predicted (n,) cosines; thresholds by metric, empty where none could be chosen.

    Metrics by name: f1, accuracy (where there is a threshold), average_precision.
    """

    task: str
    pooling: str
    labels: np.ndarray
    predicted: np.ndarray
    thresholds: Mapping[str, float]
    selected_on_scored: bool = False
    clusters: np.ndarray
    fingerprint: str = ""

    @property
    def kind(self) -> TaskKind:
        """Labelled pairs."""
        return "pairs"

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def metric(self) -> str:
        """F1, or average precision where there is no threshold."""
        return "f1" if self.thresholds else "average_precision"

    @property
    def value(self) -> float:
        """The headline's value."""
        return self.metrics[self.metric]

    @property
    def metrics(self) -> Mapping[str, float]:
        """Every metric that can be given."""
        decide = {"f1": f1, "accuracy": accuracy}
        decided = {
            name: decide[name](self.labels, self.predicted >= threshold)
            for name, threshold in self.thresholds.items()
        }
        whole = np.isfinite(self.predicted).all()
        ranked = average_precision_score(self.labels, self.predicted) if whole else float("nan")
        return {**decided, "average_precision": ranked}

    @property
    def notes(self) -> tuple[str, ...]:
        """How the threshold was come by, where that spoils it."""
        return (f"{self.task}: {SELECTED}",) if self.selected_on_scored else ()

    def items(self, metric: str | None = None) -> Classified:
        """Give the pairs with the threshold of that metric."""
        name = metric or self.metric
        if name not in self.metrics:
            known = ", ".join(self.metrics)
            raise RequestError(f"{self.task}: no metric {name!r}; there are {known} (f1 needs dev pairs)")
        return Classified(
            metric=cast("Decision", name),
            labels=self.labels,
            predicted=self.predicted,
            threshold=self.thresholds.get(name),
        )

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        return {
            "pairs": len(self),
            "metric": self.metric,
            "metrics": {name: json_number(value) for name, value in self.metrics.items()},
            "thresholds": dict(self.thresholds),
            "selected_on_scored": self.selected_on_scored,
        }

    def facts(self) -> dict[str, object]:
        """The labels."""
        return {
            "labels": self.labels.astype(int).tolist(),
            "selected_on_scored": self.selected_on_scored,
        }

    def found(self) -> object:
        """The cosines, and the thresholds that were chosen for them."""
        cosines = [json_number(value) for value in self.predicted]
        return {"thresholds": dict(self.thresholds), "cosines": cosines}
