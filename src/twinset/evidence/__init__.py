"""Is it really better: paired comparisons over items and seeds, and what they cannot tell.

>>> found = compare_systems(first, second, clusters)  # doctest: +SKIP
>>> print(verdict(found))  # doctest: +SKIP
"""

from __future__ import annotations

from twinset.evidence.best_of import BestOf, best_of
from twinset.evidence.comparison import Comparison, OnTask, Settings, compare_systems
from twinset.evidence.holm import holm
from twinset.evidence.interval import Interval, interval
from twinset.evidence.power import Settles, settles, smallest_difference
from twinset.evidence.system import RunItems, System
from twinset.evidence.verdict import Verdict, verdict

__all__ = [
    "BestOf",
    "Comparison",
    "Interval",
    "OnTask",
    "RunItems",
    "Settings",
    "Settles",
    "System",
    "Verdict",
    "best_of",
    "compare_systems",
    "holm",
    "interval",
    "settles",
    "smallest_difference",
    "verdict",
]
