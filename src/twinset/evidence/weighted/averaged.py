"""Means of many draws at once."""

from __future__ import annotations

from typing import final

import numpy as np

from twinset.evaluation.items import Averaged


@final
class WeightedMean:
    """(n, b) weights to (systems, b) means."""

    def __init__(self, systems: list[Averaged]) -> None:
        self._values = np.stack([one.values for one in systems]).astype(np.float64)

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return (self._values @ weights) / weights.sum(axis=0)
