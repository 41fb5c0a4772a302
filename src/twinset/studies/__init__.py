"""Studies: variants x seeds, trained cell by cell, compared with what chance and choosing do.

>>> result = run_study(read_study("study.toml"))  # doctest: +SKIP
>>> print(result.table())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from twinset.studies.design import Cell, Study, Variant
from twinset.studies.plan import Plan, plan
from twinset.studies.read_study import parse_study, read_study
from twinset.studies.result import Against, Chosen, Failed, OfVariant, RunScores, StudyResult
from twinset.studies.run_study import run_study, show_study
from twinset.studies.screening import Screened
from twinset.studies.settings import Entry, ScoredOn, Screen, Settings

__all__ = [
    "Against",
    "Cell",
    "Chosen",
    "Entry",
    "Failed",
    "OfVariant",
    "Plan",
    "RunScores",
    "ScoredOn",
    "Screen",
    "Screened",
    "Settings",
    "Study",
    "StudyResult",
    "Variant",
    "parse_study",
    "plan",
    "read_study",
    "run_study",
    "show_study",
    "study",
]


def study(
    file: str | Path,
    *,
    overrides: Sequence[str] = (),
    out: str | Path | None = None,
    redo: bool = False,
) -> StudyResult:
    """Run the study that a file describes, or show the one that a folder holds."""
    if Path(file).is_dir():
        return show_study(file)
    return run_study(read_study(file, overrides), out=out, redo=redo)
