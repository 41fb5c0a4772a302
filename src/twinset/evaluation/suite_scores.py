"""The scores of a whole suite: by pooling, by task, averaged, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import METRICS, PROTOCOLS, Metric, StsProtocol, json_number
from twinset.evaluation.sts import StsScores
from twinset.evaluation.table import score_table, subset_table


@dataclass(frozen=True, kw_only=True)
class SuiteScores:
    """scores[pooling][task], every pooling having the same tasks in the same order.

    The first pooling is the headline's; the headline is Spearman's correlation under `all`, averaged over
    the tasks.
    """

    suite: str
    encoder: str
    scores: Mapping[str, Mapping[str, StsScores]]

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
        """Spearman's correlation under `all`, averaged over the tasks, first pooling."""
        return self.average()

    def task(self, name: str, pooling: str | None = None) -> StsScores:
        """Give the scores of one task, under one pooling (the first, if none is named)."""
        by_task = self._pooling(pooling)
        if name not in by_task:
            raise RequestError(f"{self.suite}: no task {name!r}; there are {', '.join(by_task)}")
        return by_task[name]

    def average(
        self, pooling: str | None = None, *, metric: Metric = "spearman", protocol: StsProtocol = "all"
    ) -> float:
        """Average over the tasks, each counting once whatever its size."""
        by_task = self._pooling(pooling).values()
        return float(np.mean([scores.correlations(metric).under(protocol) for scores in by_task]))

    def table(self, *, metric: Metric = "spearman") -> str:
        """Tasks as columns, poolings and protocols as rows, correlations times 100."""
        return score_table(self, metric=metric)

    def subset_table(self, *, metric: Metric = "spearman") -> str:
        """Subsets as rows, poolings as columns, correlations times 100."""
        return subset_table(self, metric=metric)

    def to_json(self, *, items: bool = True) -> dict[str, object]:
        """Give the content of a `scores.json`; only with `items` can it be read back (`read_scores`)."""
        record: dict[str, object] = {
            "kind": "sts",
            "suite": self.suite,
            "encoder": self.encoder,
            "headline": {
                "pooling": self.poolings[0],
                "metric": "spearman",
                "protocol": "all",
                "value": json_number(self.headline),
            },
            "poolings": {pooling: self._pooling_json(pooling) for pooling in self.poolings},
        }
        if items:
            record["items"] = {name: self._items_json(name) for name in self.tasks}
        return record

    def _pooling(self, pooling: str | None) -> Mapping[str, StsScores]:
        name = self.poolings[0] if pooling is None else pooling
        if name not in self.scores:
            known = ", ".join(self.poolings)
            raise RequestError(f"{self.suite}: pooling {name!r} was not evaluated; there are {known}")
        return self.scores[name]

    def _pooling_json(self, pooling: str) -> dict[str, object]:
        averages: dict[str, dict[str, float | None]] = {metric: {} for metric in METRICS}
        for metric, protocol in product(METRICS, PROTOCOLS):
            averages[metric][protocol] = json_number(self.average(pooling, metric=metric, protocol=protocol))
        tasks = {name: scores.to_json() for name, scores in self.scores[pooling].items()}
        return {"average": averages, "tasks": tasks}

    def _items_json(self, task: str) -> dict[str, object]:
        items, one_set = self.task(task).items, self.task(task).one_set
        return {
            "one_set": one_set,
            "subsets": list(items.groups.names),
            "subset": items.groups.ids.tolist(),
            "gold": items.gold.tolist(),
            "predicted": {
                name: [json_number(value) for value in by_task[task].items.predicted]
                for name, by_task in self.scores.items()
            },
        }
