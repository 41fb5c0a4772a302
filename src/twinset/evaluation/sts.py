"""Semantic textual similarity: how well cosines of vectors follow people's judgement of texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twinset.data.groups import Groups
from twinset.data.pairs import ScoredPairs
from twinset.errors import DataError
from twinset.evaluation.correlations import DIGITS, Correlations, Metric, correlate
from twinset.evaluation.metrics import cosine, pearson, spearman

ROWS = 4096
"""Pairs compared at once: a task's vectors are not copied whole."""


@dataclass(frozen=True, kw_only=True)
class StsTask:
    """Scored pairs under a name; their subsets are the pairs' groups.

    one_set: published figures take the task as one set, whatever parts it has (STS-B: its genres). The parts
    are then shown, and `mean` and `wmean` equal `all`.
    """

    name: str
    pairs: ScoredPairs
    one_set: bool = False

    def __post_init__(self) -> None:
        if not len(self.pairs):
            raise DataError(f"{self.name}: there is no scored pair to evaluate on")

    @property
    def groups(self) -> Groups:
        """Subset of each pair; pairs without subsets are one, named as the task."""
        return self.pairs.groups or Groups(np.zeros(len(self.pairs), np.int64), (self.name,))


@dataclass(frozen=True, kw_only=True)
class StsItems:
    """The single pairs, item i being pair i of the task: what a paired comparison of encoders resamples.

    gold, predicted (n,) float64; predicted is the cosine, rounded to six decimals.
    """

    groups: Groups
    gold: np.ndarray
    predicted: np.ndarray

    def __len__(self) -> int:
        return len(self.gold)


@dataclass(frozen=True, kw_only=True)
class StsScores:
    """What an encoder scores on one task under one pooling. Correlations run from -1 to 1."""

    task: str
    pooling: str
    spearman: Correlations
    pearson: Correlations
    items: StsItems
    one_set: bool = False

    def correlations(self, metric: Metric) -> Correlations:
        """Give one of the two correlations by its name."""
        return self.spearman if metric == "spearman" else self.pearson

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        return {
            "pairs": len(self.items),
            "spearman": self.spearman.to_json(),
            "pearson": self.pearson.to_json(),
        }


def predict(vectors: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Cosine of the vectors (t, d) that `first` and `second` (n,) point at: (n,) float64, six decimals.

    Rounded before it is scored: equal texts tie whatever the last bits are, a collapsed encoder scores
    "not a number" and not its noise, and the predictions of a file give exactly the scores beside them.
    """
    parts = [
        cosine(vectors[first[start : start + ROWS]], vectors[second[start : start + ROWS]])
        for start in range(0, len(first), ROWS)
    ]
    return np.concatenate(parts).round(DIGITS)


def score(task: str, items: StsItems, *, pooling: str, one_set: bool = False) -> StsScores:
    """Score predictions against gold under every protocol."""
    spearmans = correlate(spearman, items.gold, items.predicted, items.groups, one_set=one_set)
    pearsons = correlate(pearson, items.gold, items.predicted, items.groups, one_set=one_set)
    return StsScores(
        task=task, pooling=pooling, spearman=spearmans, pearson=pearsons, items=items, one_set=one_set
    )
