"""Two systems on the same items: the difference, its interval, task by task and on average."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from twinset.errors import RequestError
from twinset.evidence.holm import holm
from twinset.evidence.interval import Interval, interval
from twinset.evidence.replicates import Progress, Replicates, replicate
from twinset.evidence.resampling import Clusters
from twinset.evidence.system import System

Question = Literal["encoders", "recipes"]

LEAST_COMPONENTS = 50.0
LEAST_RUNS = 3
DRAWS = 10_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a comparison is made: draws of the items, the seed of the draws, how sure an interval is."""

    draws: int = DRAWS
    seed: int = 0
    level: float = 0.95
    workers: int = 1

    def __post_init__(self) -> None:
        if self.draws < 100:
            raise RequestError(f"resamples: {self.draws} is below 100")
        if not 0.5 <= self.level < 1:
            raise RequestError(f"level: {self.level} is not from 0.5 up to 1")
        if self.workers < 1:
            raise RequestError(f"workers: {self.workers} is below 1")


@dataclass(frozen=True, kw_only=True)
class OnTask:
    """One task: mean scores of both, and the difference with its interval. corrected: p after Holm's
    correction over the tasks."""

    task: str
    metric: str
    items: int
    scores: tuple[float, float]
    interval: Interval
    corrected: float


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """`names[0]` against `names[1]`: positive is better for the first.

    question: whether it speaks of two encoders or of two recipes. lacking: why it must not speak at all.
    run_scores: each run's average over the tasks, by side.
    """

    names: tuple[str, str]
    question: Question
    runs: tuple[int, int]
    run_scores: tuple[tuple[float, ...], tuple[float, ...]]
    tasks: tuple[OnTask, ...]
    overall: Interval
    components: int
    effective: float
    settings: Settings
    lacking: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def won(self) -> int:
        """Tasks on which the first has the higher mean."""
        return sum(task.interval.difference > 0 for task in self.tasks)


def compare_systems(
    first: System,
    second: System,
    clusters: Mapping[str, np.ndarray],
    *,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two systems that were scored on the same tasks.

    clusters[task] (n,): numbers that are equal for items of one component, over all tasks.
    """
    how = settings or Settings()
    _check_same_items(first, second, clusters)
    components = Clusters.of(clusters)
    runs = [*first.runs, *second.runs]
    found = replicate(
        runs, components, draws=how.draws, seed=how.seed, workers=how.workers, progress=progress
    )
    cut = len(first.runs)
    seen = _sides(found, cut)
    over_tasks = _interval(seen, lambda values: values.mean(axis=-1), components.effective, how.level)
    single = [_of_task(seen, number, components, task, how.level) for number, task in enumerate(clusters)]
    corrected = holm([one.p for one in single])
    tasks = tuple(
        OnTask(
            task=task,
            metric=first.runs[0][task].metric,
            items=len(first.runs[0][task]),
            scores=(float(seen[0][0][:, number].mean()), float(seen[1][0][:, number].mean())),
            interval=single[number],
            corrected=corrected[number],
        )
        for number, task in enumerate(clusters)
    )
    question: Question = "recipes" if _speaks_of_recipes(first, second) else "encoders"
    return Comparison(
        names=(first.name, second.name),
        question=question,
        runs=(len(first.runs), len(second.runs)),
        run_scores=(_means(seen[0][0]), _means(seen[1][0])),
        tasks=tasks,
        overall=over_tasks,
        components=components.count,
        effective=components.effective,
        settings=how,
        lacking=_lacking(first, second, question, components),
        warnings=(*first.warnings, *second.warnings),
    )


Sides = tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Of each side: observed (S, tasks) and drawn (draws, S, tasks)."""


def _sides(found: Replicates, cut: int) -> Sides:
    return (
        (found.observed[:cut], found.drawn[:, :cut]),
        (found.observed[cut:], found.drawn[:, cut:]),
    )


def _interval(
    sides: Sides, chosen: Callable[[np.ndarray], np.ndarray], effective: float, level: float
) -> Interval:
    """The interval of what `chosen` makes of (..., tasks) scores."""
    (one, drawn_one), (two, drawn_two) = sides
    return interval(
        (chosen(one), chosen(two)),
        (_defined(chosen(drawn_one)), _defined(chosen(drawn_two))),
        components=effective,
        level=level,
    )


def _defined(drawn: np.ndarray) -> np.ndarray:
    """A draw in which a metric has no value (no right item came) takes the mean of the others."""
    if np.isfinite(drawn).all():
        return drawn
    return np.where(np.isfinite(drawn), drawn, np.nanmean(drawn, axis=0, keepdims=True))


def _of_task(sides: Sides, number: int, clusters: Clusters, task: str, level: float) -> Interval:
    own = Clusters.of({task: clusters.places[task]})
    return _interval(sides, lambda values: values[..., number], own.effective, level)


def _means(observed: np.ndarray) -> tuple[float, ...]:
    return tuple(float(value) for value in observed.mean(axis=-1))


def _speaks_of_recipes(first: System, second: System) -> bool:
    return any(len(side.runs) > 1 for side in (first, second))


def _lacking(first: System, second: System, question: Question, clusters: Clusters) -> tuple[str, ...]:
    found: list[str] = []
    if clusters.effective < LEAST_COMPONENTS:
        found.append(
            f"not enough items to say: {clusters.effective:.0f} independent groups of items "
            f"(effective number), {LEAST_COMPONENTS:.0f} are needed"
        )
    if question == "recipes":
        few = [side for side in (first, second) if side.seeded and len(side.runs) < LEAST_RUNS]
        found += [
            f"not enough seeds to say: {side.name} has {len(side.runs)}, {LEAST_RUNS} are needed"
            for side in few
        ]
    return tuple(found)


def _check_same_items(first: System, second: System, clusters: Mapping[str, np.ndarray]) -> None:
    sizes = {task: len(ids) for task, ids in clusters.items()}
    for side in (first, second):
        for number, run in enumerate(side.runs):
            if set(run) != set(sizes):
                missing = sorted(set(sizes) ^ set(run))
                raise RequestError(f"{side.name}, run {number + 1}: not scored on the same tasks: {missing}")
            for task, items in run.items():
                if len(items) != sizes[task]:
                    raise RequestError(
                        f"{side.name}, run {number + 1}: {task} has {len(items)} items, "
                        f"the other side {sizes[task]}"
                    )
