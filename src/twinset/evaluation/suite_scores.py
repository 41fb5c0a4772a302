"""The scores of a whole suite: by pooling, by task, averaged, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import METRICS, PROTOCOLS, Metric, StsProtocol, json_number
from twinset.evaluation.table import score_table, subset_table
from twinset.evaluation.task import TaskScores


@dataclass(frozen=True, kw_only=True)
class SuiteScores:
    """scores[pooling][task], every pooling having the same tasks in the same order.

    The first pooling is the headline's; the headline averages each task's own: Spearman's correlation under
    `all` of scored pairs, F1 of labelled ones, and so on. file_notes: what was said of a file when it was
    read.
    """

    suite: str
    encoder: str
    scores: Mapping[str, Mapping[str, TaskScores]]
    file_notes: tuple[str, ...] = ()

    @property
    def poolings(self) -> tuple[str, ...]:
        """Names of the poolings, the headline's first."""
        return tuple(self.scores)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(self.scores[self.poolings[0]])

    @property
    def headline(self) -> float:
        """Each task's headline, averaged over the tasks, first pooling."""
        return self.average()

    @property
    def metric(self) -> str:
        """The headline's name, where all tasks have the same; else `mixed`."""
        names = {scores.metric for scores in self._pooling(None).values()}
        return names.pop() if len(names) == 1 else "mixed"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of these numbers must know."""
        by_task = (scores.notes for scores in self._pooling(None).values())
        return tuple(dict.fromkeys([*self.file_notes, *(note for notes in by_task for note in notes)]))

    def task(self, name: str, pooling: str | None = None) -> TaskScores:
        """Give the scores of one task, under one pooling (the first, if none is named)."""
        by_task = self._pooling(pooling)
        if name not in by_task:
            raise RequestError(f"{self.suite}: no task {name!r}; there are {', '.join(by_task)}")
        return by_task[name]

    def average(
        self, pooling: str | None = None, *, metric: str | None = None, protocol: StsProtocol = "all"
    ) -> float:
        """Average over the tasks, each counting once whatever its size.

        metric: by name, None for each task's headline. protocol: of correlations.
        """
        wanted = metric if protocol == "all" else f"{metric or 'spearman'}_{protocol}"
        return float(np.mean([self._value(scores, wanted) for scores in self._pooling(pooling).values()]))

    def table(self, *, metric: Metric = "spearman") -> str:
        """Tasks and metrics times 100. metric: which correlation is shown of scored pairs."""
        return score_table(self, metric=metric)

    def subset_table(self, *, metric: Metric = "spearman") -> str:
        """Subsets of scored pairs as rows, poolings as columns, correlations times 100."""
        return subset_table(self, metric=metric)

    def to_json(self, *, items: bool = True) -> dict[str, object]:
        """Give the content of a `scores.json`; only with `items` can it be read back (`read_scores`)."""
        record: dict[str, object] = {
            "kind": self._kind,
            "suite": self.suite,
            "encoder": self.encoder,
            "headline": {
                "pooling": self.poolings[0],
                "metric": self.metric,
                **({"protocol": "all"} if self._kind == "sts" else {}),
                "value": json_number(self.headline),
            },
            "notes": list(self.notes),
            "poolings": {pooling: self._pooling_json(pooling) for pooling in self.poolings},
        }
        if items:
            record["items"] = {name: self._items_json(name) for name in self.tasks}
        return record

    @property
    def _kind(self) -> str:
        kinds = {scores.kind for scores in self._pooling(None).values()}
        return kinds.pop() if len(kinds) == 1 else "mixed"

    def _value(self, scores: TaskScores, metric: str | None) -> float:
        if metric is None:
            return scores.value
        if metric not in scores.metrics:
            known = ", ".join(scores.metrics)
            raise RequestError(f"{self.suite}: {scores.task} has no metric {metric!r}; it has {known}")
        return scores.metrics[metric]

    def _pooling(self, pooling: str | None) -> Mapping[str, TaskScores]:
        name = self.poolings[0] if pooling is None else pooling
        if name not in self.scores:
            known = ", ".join(self.poolings)
            raise RequestError(f"{self.suite}: pooling {name!r} was not evaluated; there are {known}")
        return self.scores[name]

    def _pooling_json(self, pooling: str) -> dict[str, object]:
        average: dict[str, object] = {"headline": json_number(self.average(pooling))}
        if self._kind == "sts":
            averages: dict[str, dict[str, float | None]] = {metric: {} for metric in METRICS}
            for metric, protocol in product(METRICS, PROTOCOLS):
                value = self.average(pooling, metric=metric, protocol=protocol)
                averages[metric][protocol] = json_number(value)
            average = dict(averages)
        tasks = {name: scores.to_json() for name, scores in self.scores[pooling].items()}
        return {"average": average, "tasks": tasks}

    def _items_json(self, task: str) -> dict[str, object]:
        scores = self.task(task)
        return {
            "kind": scores.kind,
            **scores.facts(),
            "predicted": {name: by_task[task].found() for name, by_task in self.scores.items()},
            "clusters": scores.clusters.tolist(),
            "fingerprint": scores.fingerprint,
        }
