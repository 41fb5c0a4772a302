"""Is it really better: paired comparisons over items and seeds, and what they cannot tell.

>>> print(compare("mini", "my-encoder", on=suites.sts("data")))  # doctest: +SKIP
"""

from __future__ import annotations

from twinset.evidence.best_of import BestOf, best_of
from twinset.evidence.compare import Answer, compare
from twinset.evidence.comparison import Comparison, OnTask, Settings, compare_systems
from twinset.evidence.holm import holm
from twinset.evidence.interval import Interval, interval
from twinset.evidence.power import Settles, settles, smallest_difference
from twinset.evidence.scored import Scored, systems_of
from twinset.evidence.system import RunItems, System
from twinset.evidence.verdict import Verdict, verdict

__all__ = [
    "Answer",
    "BestOf",
    "Comparison",
    "Interval",
    "OnTask",
    "RunItems",
    "Scored",
    "Settings",
    "Settles",
    "System",
    "Verdict",
    "best_of",
    "compare",
    "compare_systems",
    "holm",
    "interval",
    "settles",
    "smallest_difference",
    "systems_of",
    "verdict",
]
