"""Pairs that belong together or do not: decided by the cosine of two vectors and a threshold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from twinset.data.pairs import LabelledPairs
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.metrics import best_threshold
from twinset.evaluation.pair_scores import PairScores
from twinset.evaluation.predict import predict
from twinset.evaluation.task import Column, Points

ThresholdFrom = Literal["dev", "best_on_test"]

_YES = ("1", "true", "yes")
"""Names of the class that belongs together, where nobody says another."""


@dataclass(frozen=True, kw_only=True)
class PairTask:
    """Labelled pairs under a name; the headline is F1.

    dev: other pairs, on which the thresholds for F1 and accuracy are chosen. Without them only average
    precision is given, which needs no threshold. threshold: `best_on_test` chooses it on the scored pairs
    themselves, as many papers did; such an F1 is too high, and marked. positive: the name of the class that
    belongs together (None: 1, true or yes).
    """

    name: str
    pairs: LabelledPairs
    dev: LabelledPairs | None = None
    threshold: ThresholdFrom = "dev"
    positive: str | None = None

    def __post_init__(self) -> None:
        if self.threshold not in ("dev", "best_on_test"):
            raise RequestError(f"{self.name}: threshold {self.threshold!r} is none of dev, best_on_test")
        for part in (self.pairs, self.dev):
            if part is not None:
                self._check(part, "dev pair" if part is self.dev else "pair")
        if self.threshold == "best_on_test":
            warnings.warn(
                f"{self.name}: the threshold is chosen on the pairs it is scored on; such an F1 is too high",
                stacklevel=3,
            )

    def _check(self, part: LabelledPairs, what: str) -> None:
        labels = self.belongs(part)
        for there, missing in ((labels.any(), "belongs together"), (not labels.all(), "does not")):
            if not there:
                raise DataError(f"{self.name}: no {what} {missing}; pairs of both kinds are needed")

    def belongs(self, pairs: LabelledPairs) -> np.ndarray:
        """Which pairs belong together: (n,) bool."""
        names = pairs.label_names
        wanted = _YES if self.positive is None else (self.positive,)
        found = [place for place, name in enumerate(names) if name.lower() in wanted or name in wanted]
        if len(found) != 1:
            raise DataError(
                f"{self.name}: which of the labels {', '.join(names)} means that a pair belongs together? "
                f"Say positive={names[-1] if names else ''!r}"
            )
        return pairs.labels == found[0]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The pairs' two columns, then the dev pairs'."""
        parts = [self.pairs] if self.dev is None else [self.pairs, self.dev]
        both = [(texts, role) for part in parts for texts, role in zip(part.columns, part.roles, strict=True)]
        return tuple(Column(texts=texts, role=role) for texts, role in both)

    @property
    def item_texts(self) -> tuple[Texts, ...]:
        """An item is a pair; dev pairs are none."""
        return self.pairs.columns

    def score(self, points: Sequence[Points], *, pooling: str, clusters: np.ndarray) -> PairScores:
        """Choose thresholds on the dev pairs, and decide the others."""
        predicted = predict(points[0], points[1])
        thresholds: Mapping[str, float] = {}
        if self.threshold == "best_on_test":
            thresholds = _chosen(self.belongs(self.pairs), predicted)
        elif self.dev is not None:
            thresholds = _chosen(self.belongs(self.dev), predict(points[2], points[3]))
        return self.scores_of(predicted, thresholds, pooling=pooling, clusters=clusters)

    def scores_of(
        self, predicted: np.ndarray, thresholds: Mapping[str, float], *, pooling: str, clusters: np.ndarray
    ) -> PairScores:
        """Scores of predictions (n,) and thresholds that are known."""
        labels = self.belongs(self.pairs)
        return PairScores(
            task=self.name,
            pooling=pooling,
            labels=labels,
            predicted=predicted,
            thresholds=thresholds,
            selected_on_scored=self.threshold == "best_on_test",
            clusters=clusters,
            fingerprint=fingerprint("pairs", self.pairs.columns, (labels,)),
        )


def _chosen(labels: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    if not np.isfinite(predicted).all():
        raise RequestError("pairs: some vectors are no numbers, so that there is no cosine to decide by")
    return {metric: best_threshold(labels, predicted, metric) for metric in ("f1", "accuracy")}
