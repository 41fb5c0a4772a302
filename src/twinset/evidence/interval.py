"""The interval of a difference: items vary, and seeds where there are several.

    SE^2 = s_a^2 / S_a + s_b^2 / S_b + max(0, V - c_a^2 / S_a - c_b^2 / S_b)

s^2 (S - 1 degrees of freedom) is the variance of a side's runs, V that of the difference of means over draws
of the items, c^2 the part of it that differs from run to run within a side. Obuchowski and Rockette 1995,
degrees of freedom after Hillis 2007, with seeds for readers (docs/decisions/0011-what-is-estimated.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Interval:
    """difference: first less second. by_seeds, by_items: the two parts of the squared standard error."""

    difference: float
    error: float
    freedom: float
    low: float
    high: float
    p: float
    by_seeds: float
    by_items: float
    level: float

    @property
    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0


def interval(
    observed: tuple[np.ndarray, np.ndarray],
    drawn: tuple[np.ndarray, np.ndarray],
    *,
    components: float,
    level: float = 0.95,
) -> Interval:
    """observed: each side's runs (S,); drawn: each side's runs in each draw (draws, S).

    A side with one run has no s^2: it counts as fixed. components: the effective number of what was drawn.
    """
    from scipy.stats import t as student

    sides = [_Side(*side) for side in zip(observed, drawn, strict=True)]
    difference = float(observed[0].mean() - observed[1].mean())
    spread = float(np.var(drawn[0].mean(axis=1) - drawn[1].mean(axis=1), ddof=1))
    by_seeds = sum(side.seeds for side in sides)
    by_items = max(0.0, spread - sum(side.shared for side in sides))
    total = by_seeds + by_items
    parts = [(side.seeds, side.runs - 1) for side in sides if side.runs > 1]
    freedom = _freedom([*parts, (by_items, max(1.0, components - 1))])
    error = float(np.sqrt(total))
    reach = float(student.ppf(0.5 + level / 2, freedom)) * error
    p = 1.0 if difference == 0 else 0.0
    if error > 0:
        p = float(2 * student.sf(abs(difference) / error, freedom))
    return Interval(
        difference=difference,
        error=error,
        freedom=freedom,
        low=difference - reach,
        high=difference + reach,
        p=p,
        by_seeds=by_seeds,
        by_items=by_items,
        level=level,
    )


class _Side:
    """seeds: s^2 / S; shared: c^2 / S, the part of the items' variance that s^2 already holds."""

    def __init__(self, observed: np.ndarray, drawn: np.ndarray) -> None:
        self.runs = len(observed)
        self.seeds = self.shared = 0.0
        if self.runs > 1:
            own = drawn - drawn.mean(axis=1, keepdims=True)
            self.seeds = float(np.var(observed, ddof=1)) / self.runs
            self.shared = float(np.var(own, axis=0, ddof=1).sum()) / (self.runs - 1) / self.runs


def _freedom(parts: list[tuple[float, float]]) -> float:
    """Satterthwaite's: of a sum of variances, each with its own."""
    total = sum(value for value, _ in parts)
    if total <= 0:
        return max(degrees for _, degrees in parts)
    return total**2 / sum(value**2 / degrees for value, degrees in parts)
