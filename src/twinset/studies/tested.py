"""What a study takes from the evaluation room: tasks to score on, scores to keep, items to compare.

Nothing else of this room knows what kind of task it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from twinset.data import Texts, read_scored_pairs
from twinset.evaluation import StsTask, Suite, evaluate, read_scores, read_suite, write_scores
from twinset.evaluation.clusters import suite_clusters
from twinset.evidence import RunItems
from twinset.studies.settings import ScoredOn

if TYPE_CHECKING:
    from twinset.encoder import Encoder

_SHOWN = {"spearman": "Spearman", "mixed": "each task's own metric"}


@dataclass(frozen=True, kw_only=True)
class Scored:
    """One run's scores on the test tasks. average: over the tasks. scores and items by task; metric: the
    headline's name."""

    average: float
    scores: Mapping[str, float]
    items: RunItems
    metric: str


def read_test(wanted: ScoredOn) -> Suite:
    """The tasks that a study file names."""
    if wanted.suite is not None:
        return read_suite(wanted.suite, wanted.data or "")
    where = {} if wanted.split is None else {"split": wanted.split}
    pairs = [(Path(file).stem, read_scored_pairs(file, where=where)) for file in wanted.files]
    return Suite(name="your pairs", tasks=tuple(StsTask(name=name, pairs=each) for name, each in pairs))


def whole_paths(wanted: ScoredOn) -> ScoredOn:
    """The same with whole paths, so that a study goes on from anywhere."""
    return ScoredOn(
        suite=wanted.suite,
        data=None if wanted.data is None else str(Path(wanted.data).resolve()),
        files=tuple(str(Path(file).resolve()) for file in wanted.files),
        split=wanted.split,
    )


def score(encoder: Encoder, suite: Suite, path: Path) -> None:
    """Score an encoder and write every prediction, whole or not at all."""
    write_scores(evaluate(encoder, suite), path)


def read_scored(path: Path) -> Scored:
    """What `score` wrote."""
    scores = read_scores(path)
    tasks = {name: scores.task(name) for name in scores.tasks}
    return Scored(
        average=scores.headline,
        scores={name: each.value for name, each in tasks.items()},
        items={name: each.items() for name, each in tasks.items()},
        metric=scores.metric,
    )


def shown_metric(runs: Iterable[Scored]) -> str:
    """What the figures of a report are."""
    name = next((run.metric for run in runs), "score")
    return f"{_SHOWN.get(name, name)} x 100"


def clusters(suite: Suite) -> dict[str, np.ndarray]:
    """Which items hang together by shared texts, over all tasks: equal numbers for those that do."""
    parts = suite_clusters([task.item_texts for task in suite.tasks])
    return {task.name: part for task, part in zip(suite.tasks, parts, strict=True)}


def shared_pairs(suite: Suite, others: Sequence[Sequence[Texts]]) -> dict[str, tuple[int, int]]:
    """Of each task, the pairs that also stand, in either order, among others: how many, and of how many."""
    known = {frozenset(pair) for columns in others for pair in zip(*columns, strict=True)}
    found: dict[str, tuple[int, int]] = {}
    for task in suite.tasks:
        texts: Iterator[tuple[str, ...]] = zip(*task.item_texts, strict=True)
        found[task.name] = (sum(frozenset(pair) in known for pair in texts), len(task.item_texts[0]))
    return found
