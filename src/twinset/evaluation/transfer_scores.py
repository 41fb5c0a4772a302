"""What a classifier on an encoder's vectors gets right, text by text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import json_number
from twinset.evaluation.items import Averaged
from twinset.evaluation.task import TaskKind


@dataclass(frozen=True, kw_only=True)
class TransferScores:
    """labels, predicted (n,) int64 into label_names; strengths: the C of each classifier that was learned."""

    task: str
    pooling: str
    labels: np.ndarray
    predicted: np.ndarray
    label_names: tuple[str, ...]
    strengths: tuple[float, ...]
    clusters: np.ndarray
    fingerprint: str = ""
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> TaskKind:
        """Classes of texts."""
        return "transfer"

    @property
    def metric(self) -> str:
        """The headline."""
        return "accuracy"

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def right(self) -> np.ndarray:
        """Whether each text was classified right: (n,) bool."""
        return self.labels == self.predicted

    @property
    def value(self) -> float:
        """The share that is right."""
        return float(self.right.mean())

    @property
    def metrics(self) -> Mapping[str, float]:
        """Accuracy."""
        return {"accuracy": self.value}

    def items(self, metric: str | None = None) -> Averaged:
        """1 for each text that was classified right, else 0."""
        if metric not in (None, "accuracy"):
            raise RequestError(f"{self.task}: no metric {metric!r}; there is accuracy")
        return Averaged(metric="accuracy", values=self.right.astype(np.float64))

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        return {
            "texts": len(self),
            "metric": "accuracy",
            "metrics": {"accuracy": json_number(self.value)},
            "strengths": list(self.strengths),
        }

    def facts(self) -> dict[str, object]:
        """The classes."""
        return {"label_names": list(self.label_names), "labels": self.labels.tolist()}

    def found(self) -> object:
        """The classes predicted, and the strengths chosen."""
        return {"strengths": list(self.strengths), "labels": self.predicted.tolist()}
