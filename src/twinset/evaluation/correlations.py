"""One correlation under the three protocols in use, side by side.

Papers report different ones for the same task and the same name: the BERT-flow of 69.57 is a `wmean`, the
66.55 an `all`. Which is which has to be said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from twinset.data.groups import Groups

StsProtocol = Literal["all", "mean", "wmean"]
PROTOCOLS: tuple[StsProtocol, ...] = get_args(StsProtocol)

Metric = Literal["spearman", "pearson"]
METRICS: tuple[Metric, ...] = get_args(Metric)

DIGITS = 6
"""Decimals kept of scores and predictions: single precision promises no more."""


@dataclass(frozen=True, kw_only=True)
class Correlations:
    """all: of all pairs at once. mean: the mean over subsets. wmean: that mean, weighted by subset size."""

    all: float
    mean: float
    wmean: float
    subsets: Mapping[str, float]

    def under(self, protocol: StsProtocol) -> float:
        """Give the value under one protocol."""
        return {"all": self.all, "mean": self.mean, "wmean": self.wmean}[protocol]

    def to_json(self) -> dict[str, object]:
        """Give the values for a JSON file; "not a number" becomes null."""
        values = {protocol: json_number(self.under(protocol)) for protocol in PROTOCOLS}
        return {**values, "subsets": {name: json_number(value) for name, value in self.subsets.items()}}


def correlate(
    metric: Callable[[np.ndarray, np.ndarray], float],
    gold: np.ndarray,
    predicted: np.ndarray,
    groups: Groups,
    *,
    one_set: bool = False,
) -> Correlations:
    """Correlate gold and predicted (n,) over all pairs and within each subset.

    With `one_set` the subsets are shown, but mean and wmean are the value over all pairs. A subset without
    a value (one pair; all gold scores equal) leaves mean and wmean without one: to drop it would be a
    fourth protocol.
    """
    whole = metric(gold, predicted)
    rows = dict(groups.items())
    subsets = {name: metric(gold[places], predicted[places]) for name, places in rows.items()}
    if one_set:
        return Correlations(all=whole, mean=whole, wmean=whole, subsets=subsets)
    values = np.array(list(subsets.values()))
    sizes = np.array([len(places) for places in rows.values()])
    weighted = float(values @ sizes / sizes.sum())
    return Correlations(all=whole, mean=float(values.mean()), wmean=weighted, subsets=subsets)


def json_number(value: float) -> float | None:
    """Round for a JSON file, which has no "not a number"."""
    return round(float(value), DIGITS) if np.isfinite(value) else None
