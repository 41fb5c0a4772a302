"""From scores of suites to the two sides of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation import SuiteScores, TaskScores
from twinset.evidence.system import System


@dataclass(frozen=True, kw_only=True)
class Scored:
    """What one side scored, run by run. seeded: whether its runs are draws of a recipe. chosen_on: the
    fingerprints of the items that its checkpoints were picked on."""

    name: str
    runs: tuple[SuiteScores, ...]
    seeded: bool = False
    chosen_on: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        if not self.runs:
            raise RequestError(f"{self.name}: there is no run to compare")


def systems_of(
    first: Scored, second: Scored, *, metric: str | None = None, pooling: str | None = None
) -> tuple[System, System, dict[str, np.ndarray]]:
    """Both sides with their items, and which items hang together: what `compare_systems` takes.

    metric: one that every task has (None: each task's headline). pooling: None for each run's first.
    """
    tasks = tuple(first.runs[0].tasks)
    by_run = [
        (side.name, _tasks_of(side, run, tasks, pooling)) for side in (first, second) for run in side.runs
    ]
    _, reference = by_run[0]
    for name, found in by_run:
        for task in tasks:
            if found[task].fingerprint != reference[task].fingerprint:
                raise RequestError(
                    f"{name}: {task} has other items than {first.name}'s "
                    "(other texts or other judgements); evaluate both on the same data"
                )
    warnings = tuple(
        dict.fromkeys(note for side in (first, second) for run in side.runs for note in run.notes)
    )
    clusters = {task: reference[task].clusters for task in tasks}
    cut = len(first.runs)
    made = [
        System(
            name=side.name,
            runs=tuple({task: found[task].items(metric) for task in tasks} for _, found in own),
            seeded=side.seeded,
            warnings=(*_chosen(side, reference), *extra),
        )
        for side, own, extra in ((first, by_run[:cut], warnings), (second, by_run[cut:], ()))
    ]
    return made[0], made[1], clusters


def _tasks_of(
    side: Scored, run: SuiteScores, tasks: Sequence[str], pooling: str | None
) -> Mapping[str, TaskScores]:
    if set(run.tasks) != set(tasks):
        raise RequestError(
            f"{side.name}: scored on {', '.join(run.tasks)}; the other on {', '.join(tasks)}. "
            "Evaluate both on the same suite"
        )
    return {task: run.task(task, pooling) for task in tasks}


def _chosen(side: Scored, reference: Mapping[str, TaskScores]) -> list[str]:
    """A warning for each task whose items a checkpoint was picked on."""
    return [
        f"{side.name}: its checkpoints were picked on {task}, so its score there is too high"
        for task, scores in reference.items()
        if scores.fingerprint in side.chosen_on
    ]
