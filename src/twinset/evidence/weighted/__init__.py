"""The metrics of the house, of many draws of the items at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.items import Averaged, Classified, Correlated, Items
from twinset.evidence.weighted.averaged import WeightedMean
from twinset.evidence.weighted.classified import WeightedDecisions
from twinset.evidence.weighted.correlated import WeightedCorrelation

Weighted = Callable[[np.ndarray], np.ndarray]
"""(n, b) weights of n items in b draws to (systems, b) values."""


def weighted(systems: Sequence[Items]) -> Weighted:
    """One task's metric of several systems, of any draws of its items."""
    kinds = {type(one) for one in systems}
    metrics = {one.metric for one in systems}
    if len(kinds) != 1 or len(metrics) != 1:
        named = ", ".join(sorted(f"{one.metric} of {type(one).__name__} items" for one in systems))
        raise RequestError(f"these cannot be compared, they are scored differently: {named}")
    found = list(systems)
    if isinstance(found[0], Correlated):
        return WeightedCorrelation(cast("list[Correlated]", found))
    if isinstance(found[0], Classified):
        return WeightedDecisions(cast("list[Classified]", found))
    return WeightedMean(cast("list[Averaged]", found))


__all__ = ["Weighted", "weighted"]
