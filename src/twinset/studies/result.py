"""What a study found: every run, every variant, and each variant against the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from twinset.studies.screening import Screened


@dataclass(frozen=True, kw_only=True)
class RunScores:
    """One run on the test tasks. dev: what it was chosen by; None without dev."""

    seed: int
    dev: float | None
    average: float
    tasks: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Of k runs the best on dev: what that gives on dev and on test, on average over all draws of k."""

    k: int
    dev: float
    test: float


@dataclass(frozen=True, kw_only=True)
class OfVariant:
    """One variant. settings: how many settings of its family were looked at on dev, these among them."""

    name: str
    settings: int
    runs: tuple[RunScores, ...]
    chosen: tuple[Chosen, ...]

    @property
    def mean(self) -> float:
        return float(np.mean([run.average for run in self.runs]))

    @property
    def sd(self) -> float | None:
        """The spread over the seeds; one run has none."""
        return spread([run.average for run in self.runs])

    @property
    def dev(self) -> float | None:
        """The mean on dev."""
        scores = [run.dev for run in self.runs if run.dev is not None]
        return float(np.mean(scores)) if scores else None

    @property
    def best(self) -> RunScores | None:
        """The run that is best on dev: the one to use, not the score to report."""
        seen = [run for run in self.runs if run.dev is not None]
        return max(seen, key=lambda run: run.dev or 0.0) if seen else None

    def on(self, task: str) -> tuple[float, float | None]:
        """Mean and spread on one task."""
        values = [run.tasks[task] for run in self.runs]
        return float(np.mean(values)), spread(values)


@dataclass(frozen=True, kw_only=True)
class Against:
    """A variant against the baseline. p: of this comparison alone; corrected: Holm's, for all of them. The
    word follows the corrected one; the interval is this comparison's own."""

    variant: str
    word: str
    sentence: str
    notes: tuple[str, ...]
    difference: float
    low: float
    high: float
    p: float
    corrected: float | None

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"  {note}" for note in self.notes)])


@dataclass(frozen=True, kw_only=True)
class Failed:
    """A cell that failed, and its last words."""

    variant: str
    seed: int
    why: str


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """cells: how many count, and how many are done. made_from: what the comparisons were made from."""

    name: str
    folder: str
    suite: str
    metric: str
    tasks: tuple[str, ...]
    baseline: str
    level: float
    variants: tuple[OfVariant, ...]
    against: tuple[Against, ...]
    screened: tuple[Screened, ...]
    failed: tuple[Failed, ...]
    warnings: tuple[str, ...]
    cells: tuple[int, int]
    made_from: str

    @cached_property
    def verdicts(self) -> Mapping[str, Against]:
        """Against the baseline, by variant."""
        return {each.variant: each for each in self.against}

    def variant(self, name: str) -> OfVariant:
        return next(each for each in self.variants if each.name == name)

    def table(self) -> str:
        """For a terminal."""
        from twinset.studies.report import as_text

        return as_text(self)


def spread(values: list[float]) -> float | None:
    """Standard deviation over seeds."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None
