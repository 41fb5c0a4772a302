"""Scores that another tool gave to single items: a table with columns id, score and, maybe, the truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from twinset.data.groups import Groups
from twinset.data.kinds import Kind
from twinset.data.raw import Raw
from twinset.data.request import Request
from twinset.data.sniff import columns_of
from twinset.data.source import load
from twinset.data.values import numbers_of, texts_of
from twinset.errors import DataError
from twinset.evaluation.clusters import suite_clusters
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.pair_scores import PairScores
from twinset.evaluation.pairs import PairTask
from twinset.evaluation.sts import StsItems, StsTask, score
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.task import TaskScores
from twinset.evaluation.value_scores import ValueScores

POOLING = "file"
"""Where scores say under which pooling vectors were made: a file has none."""

_KIND = Kind(
    name="predictions",
    fields=("id",),
    families=(("id",), ("item",), ("item_id",), ("qid",), ("query",)),
    values=("score", "prediction", "cosine", "value"),
)
_GOLD = ("gold", "gold_score")
_LABEL = ("label", "is_duplicate")


def read_predictions(
    path: str | Path,
    task: StsTask | PairTask | None = None,
    *,
    metric: str = "score",
    threshold: float | None = None,
) -> SuiteScores:
    """Read a file of scores as the result of a system named after the file.

    With a column gold (graded) the items are scored pairs; with label (0 or 1) labelled ones, decided at
    `threshold` where one is given; with neither each score is the item's value of `metric`. Items go by
    their ids, whatever the order of the rows. task: then the ids are the numbers of the task's pairs from 1,
    the truth is the task's, and the scores can be compared with those of an encoder on it.
    """
    source = Path(path)
    present = {name.strip().lower(): name for name in columns_of(source, _KIND)}
    truth = next((present[name] for name in (*_GOLD, *_LABEL) if task is None and name in present), None)
    raw = load(source, Request(kind=_KIND, groups=truth or present.get("id")))
    ids, predicted = list(texts_of(raw)[0]), numbers_of(raw, str(raw.chosen.value))
    _once(raw, ids)
    name = source.name.removesuffix(".gz").rpartition(".")[0] if task is None else task.name
    if task is not None:
        scores = _on_task(raw, ids, predicted, task, threshold)
    else:
        order = np.array(sorted(range(len(ids)), key=ids.__getitem__))
        known = None if truth is None else numbers_of(raw, truth)[order]
        ordered = [ids[row] for row in order]
        if known is None:
            scores = _values(name, ordered, predicted[order], metric)
        elif truth is not None and truth.strip().lower() in _GOLD:
            scores = _graded(name, ordered, predicted[order], known)
        else:
            scores = _decided(raw, name, ordered, predicted[order], known, threshold)
    return SuiteScores(
        suite=name, encoder=source.stem, scores={POOLING: {name: scores}}, file_notes=raw.notes
    )


def _values(name: str, ids: list[str], predicted: np.ndarray, metric: str) -> TaskScores:
    return ValueScores(
        task=name,
        pooling=POOLING,
        metric=metric,
        numbers=predicted,
        clusters=np.arange(len(ids)),
        fingerprint=fingerprint("values", (ids,), ()),
    )


def _graded(name: str, ids: list[str], predicted: np.ndarray, gold: np.ndarray) -> TaskScores:
    groups = Groups(np.zeros(len(ids), np.int64), (name,))
    items = StsItems(groups=groups, gold=gold, predicted=predicted)
    return score(name, items, pooling=POOLING, mark=fingerprint("graded", (ids,), (gold,)))


def _decided(
    raw: Raw, name: str, ids: list[str], predicted: np.ndarray, labels: np.ndarray, threshold: float | None
) -> TaskScores:
    if set(labels.tolist()) != {0.0, 1.0}:
        raise DataError(
            f"{raw.name}: the labels must be 0 and 1, both of them; graded scores are called gold"
        )
    return PairScores(
        task=name,
        pooling=POOLING,
        labels=labels.astype(bool),
        predicted=predicted,
        thresholds={} if threshold is None else {"f1": threshold, "accuracy": threshold},
        clusters=np.arange(len(ids)),
        fingerprint=fingerprint("decided", (ids,), (labels,)),
    )


def _on_task(
    raw: Raw, ids: list[str], predicted: np.ndarray, task: StsTask | PairTask, threshold: float | None
) -> TaskScores:
    count = len(task.pairs)
    numbers = {str(number): number - 1 for number in range(1, count + 1)}
    strange = next((row for row, each in enumerate(ids) if each not in numbers), None)
    if strange is not None:
        raise DataError(f"{raw.at(strange)}: {ids[strange]!r} is no pair of {task.name}: 1 to {count}")
    if len(ids) < count:
        lacking = next(each for each in numbers if each not in set(ids))
        raise DataError(
            f"{raw.name}: {count - len(ids)} pairs of {task.name} are missing; the first: {lacking}"
        )
    ordered = np.empty(count)
    ordered[[numbers[each] for each in ids]] = predicted
    (clusters,) = suite_clusters([task.item_texts])
    if isinstance(task, StsTask):
        return task.scores_of(ordered, pooling=POOLING, clusters=clusters)
    thresholds = {} if threshold is None else {"f1": threshold, "accuracy": threshold}
    return task.scores_of(ordered, thresholds, pooling=POOLING, clusters=clusters)


def _once(raw: Raw, ids: list[str]) -> None:
    seen: set[str] = set()
    for row, each in enumerate(ids):
        if each in seen:
            raise DataError(f"{raw.at(row)}: the id {each!r} stands there a second time; ids must differ")
        seen.add(each)
