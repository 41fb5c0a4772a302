"""The single items of one system on one task: what a comparison of two systems resamples.

Three kinds serve every metric of the house. Each holds plain arrays, item i being the same pair or query
for every system that was scored on the task.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

Correlation = Literal["spearman", "pearson"]
Decision = Literal["f1", "accuracy", "average_precision"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Correlated:
    """gold, predicted (n,): the metric is their correlation.

    subsets (n,) int64: where given, the metric is the mean over subsets (`mean`), or that mean weighted by
    the subsets' sizes (`wmean`); without, it is the correlation over all items.
    """

    metric: Correlation
    gold: np.ndarray
    predicted: np.ndarray
    subsets: np.ndarray | None = None
    weighted: bool = False

    def __len__(self) -> int:
        return len(self.gold)


@dataclass(frozen=True, kw_only=True, eq=False)
class Classified:
    """labels (n,) bool, predicted (n,): a pair belongs together where its prediction reaches the threshold.

    The threshold was chosen elsewhere and is part of the system; `average_precision` has none.
    """

    metric: Decision
    labels: np.ndarray
    predicted: np.ndarray
    threshold: float | None = None

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, kw_only=True, eq=False)
class Averaged:
    """values (n,): one number an item (a query's nDCG, whether a sentence was classified right); the metric
    is their mean."""

    metric: str
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.values)


Items = Correlated | Classified | Averaged
"""What evidence asks of a task's scores."""
