"""Ranking each query's own candidates: which answers to a question are right, and stand in front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twinset.data.ranked import RankedLists
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.metrics import places, ranking_metric
from twinset.evaluation.predict import predict
from twinset.evaluation.ranking_scores import RankingScores
from twinset.evaluation.task import Column, Points


@dataclass(frozen=True, kw_only=True)
class RankingTask:
    """Ranked lists under a name: each query with its candidates, ordered by cosine.

    metric: the headline, by a name that `ranking_metric` knows. A query none of whose candidates is relevant
    has no score; it is left out and counted. An item is a query.
    """

    name: str
    lists: RankedLists
    metric: str = "map"

    def __post_init__(self) -> None:
        ranking_metric(self.metric)
        if not (self.lists.relevance > 0).any():
            raise DataError(f"{self.name}: no query has a relevant candidate; there is nothing to score")
        wrong = np.unique(self.lists.query_of[self.lists.relevance <= 0])
        if not np.isin(self.answered, wrong).any():
            raise DataError(
                f"{self.name}: no query has a wrong candidate beside a right one, so that every order is "
                "right; judge some candidates 0"
            )

    @property
    def answered(self) -> np.ndarray:
        """The queries that have a relevant candidate: (m,) int64, ascending."""
        return np.unique(self.lists.query_of[self.lists.relevance > 0])

    @property
    def columns(self) -> tuple[Column, ...]:
        """All queries, and all candidates."""
        query, document = self.lists.roles
        return (
            Column(texts=self.lists.queries, role=query),
            Column(texts=self.lists.candidates, role=document),
        )

    @property
    def item_texts(self) -> tuple[Texts, ...]:
        """The queries that are scored."""
        return (self.lists.queries.take(self.answered),)

    def score(self, points: Sequence[Points], *, pooling: str, clusters: np.ndarray) -> RankingScores:
        """Rank each query's candidates."""
        queries, candidates = points
        lists, answered = self.lists, self.answered
        asked = Points(vectors=queries.vectors, ids=queries.ids[lists.query_of])
        predicted = _numbers(predict(asked, candidates), self.name)
        rows = _rows_of(lists.query_of, len(lists.queries))
        left_out = len(lists.queries) - len(answered)
        return RankingScores(
            task=self.name,
            pooling=pooling,
            places=tuple(places(predicted[rows[q]], lists.relevance[rows[q]]) for q in answered),
            metric=self.metric,
            clusters=clusters,
            fingerprint=fingerprint(
                "ranking", (lists.queries, lists.candidates), (lists.query_of, lists.relevance)
            ),
            notes=left_out_note(self.name, left_out),
        )


def left_out_note(task: str, count: int) -> tuple[str, ...]:
    """Say how many queries have no score."""
    if not count:
        return ()
    return (f"{task}: {count:,} {'query' if count == 1 else 'queries'} without a relevant document left out",)


def _rows_of(query_of: np.ndarray, queries: int) -> list[np.ndarray]:
    order = np.argsort(query_of, kind="stable")
    return np.split(order, np.cumsum(np.bincount(query_of, minlength=queries))[:-1])


def _numbers(predicted: np.ndarray, task: str) -> np.ndarray:
    if not np.isfinite(predicted).all():
        raise RequestError(f"{task}: some vectors are no numbers, so that there is no cosine to rank by")
    return predicted
