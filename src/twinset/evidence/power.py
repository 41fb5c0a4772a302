"""What a comparison can show: before it is run, or after it could not tell.

    smallest difference = (t(1 - alpha / 2, df) + t(power, df)) SE

is seen with the chance `power` in a test that errs with the chance alpha.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from twinset.errors import RequestError
from twinset.evidence.interval import Interval

POWER = 0.8
MOST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Settles:
    """What would make a difference of this size visible. seeds: runs a side with the items as they are, None
    if no number of seeds would; items: times as many items with the runs as they are, None likewise."""

    difference: float
    seeds: int | None
    items: float | None


def smallest_difference(error: float, freedom: float, *, level: float = 0.95, power: float = POWER) -> float:
    """The difference that is seen with this chance, at this standard error.

    >>> round(smallest_difference(0.01, 1e9), 4)  # (1.96 + 0.84) SE
    0.028
    """
    if not (0 < level < 1 and 0 < power < 1):
        raise RequestError(f"level and power lie between 0 and 1; given: {level} and {power}")
    from scipy.stats import t as student

    reach = float(student.ppf(0.5 + level / 2, freedom) + student.ppf(power, freedom))
    return reach * error


def settles(found: Interval, runs: tuple[int, int], components: float, difference: float) -> Settles:
    """How many runs a side, or how many times the items, would show `difference` four times in five.

    Seeds' variances go down with the runs, the items' part with the items; what seeds do on these very items
    goes down with both and is counted with the seeds, so the number of items told is rather too large.
    """
    wanted = abs(difference)
    seeded = [number for number in runs if number > 1]
    if wanted == 0:
        return Settles(difference=0.0, seeds=None, items=None)

    def with_seeds(number: float) -> float:
        share = found.by_seeds * (sum(seeded) / len(seeded)) / number
        degrees = max(1.0, (number - 1) * len(seeded))
        return _needed(share, degrees, found.by_items, components, found.level)

    def with_items(times: float) -> float:
        degrees = max(1.0, sum(number - 1 for number in seeded))
        return _needed(found.by_seeds, degrees, found.by_items / times, components * times, found.level)

    seeds = None if not seeded else _least(with_seeds, wanted, start=max(seeded))
    items = _least(with_items, wanted, start=1)
    return Settles(difference=wanted, seeds=seeds, items=None if items is None else float(items))


def _needed(seeds: float, degrees: float, items: float, components: float, level: float) -> float:
    total = seeds + items
    if total == 0:
        return 0.0
    freedom = total**2 / (seeds**2 / degrees + items**2 / max(1.0, components - 1))
    return smallest_difference(math.sqrt(total), freedom, level=level)


def _least(shows: Callable[[float], float], wanted: float, *, start: int) -> int | None:
    """The least whole number from `start` on whose smallest difference is at most what is wanted."""
    if shows(MOST) > wanted:
        return None
    low, high = start, MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) <= wanted else (middle + 1, high)
    return low
