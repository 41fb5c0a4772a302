"""What a study takes from the evaluation room: tasks to score on, scores to keep, items to compare.

Nothing else of this room knows what kind of task it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from twinset.data import Texts, read_scored_pairs
from twinset.data.components import row_components
from twinset.evaluation import StsTask, Suite, SuiteScores, evaluate, read_scores, read_suite, write_scores
from twinset.evaluation.items import Correlated
from twinset.evidence import RunItems
from twinset.studies.settings import ScoredOn

if TYPE_CHECKING:
    from twinset.encoder import Encoder

METRIC = "Spearman x 100"


@dataclass(frozen=True, kw_only=True)
class Scored:
    """One run's scores on the test tasks. average: over the tasks. scores and items by task."""

    average: float
    scores: Mapping[str, float]
    items: RunItems


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
    by_task = {name: _value(scores, name) for name in scores.tasks}
    items = {name: scores.task(name).items for name in scores.tasks}
    return Scored(
        average=float(np.mean(list(by_task.values()))),
        scores=by_task,
        items={
            name: Correlated(metric="spearman", gold=each.gold, predicted=each.predicted)
            for name, each in items.items()
        },
    )


def _value(scores: SuiteScores, task: str) -> float:
    return scores.task(task).correlations("spearman").under("all")


def clusters(suite: Suite) -> dict[str, np.ndarray]:
    """Which items hang together by shared texts, over all tasks: equal numbers for those that do."""
    columns = [task.pairs.columns for task in suite.tasks]
    joined = [
        Texts(pa.chunked_array([pair[side].arrow for pair in columns], type=pa.large_string()))
        for side in range(2)
    ]
    ends = np.cumsum([len(task.pairs) for task in suite.tasks])[:-1]
    parts = np.split(row_components(joined), ends)
    return {task.name: part for task, part in zip(suite.tasks, parts, strict=True)}


def shared_pairs(suite: Suite, others: Sequence[Sequence[Texts]]) -> dict[str, tuple[int, int]]:
    """Of each task, the pairs that also stand, in either order, among others: how many, and of how many."""
    known = {frozenset(pair) for columns in others for pair in zip(*columns, strict=True)}
    found: dict[str, tuple[int, int]] = {}
    for task in suite.tasks:
        texts: Iterator[tuple[str, ...]] = zip(*task.pairs.columns, strict=True)
        found[task.name] = (sum(frozenset(pair) in known for pair in texts), len(task.pairs))
    return found
