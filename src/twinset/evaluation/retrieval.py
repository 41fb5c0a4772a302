"""Retrieval: each query against a whole collection of documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twinset.data.collection import Collection
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.metrics import Places, Unjudged, places, ranking_metric
from twinset.evaluation.predict import predict
from twinset.evaluation.ranking import left_out_note
from twinset.evaluation.ranking_scores import RankingScores
from twinset.evaluation.search import search_places
from twinset.evaluation.task import Column, Points


@dataclass(frozen=True, kw_only=True)
class RetrievalTask:
    """A collection under a name: all its documents are ordered by cosine, exactly, for each query.

    metric: the headline, by a name that `ranking_metric` knows. unjudged: a document that nobody judged is
    `wrong`, as is usual, or `unknown`: then only judged documents are ranked. A query without a relevant
    document is left out and counted. An item is a query.
    """

    name: str
    collection: Collection
    metric: str = "ndcg@10"
    unjudged: Unjudged = "wrong"

    def __post_init__(self) -> None:
        ranking_metric(self.metric)
        relevance = self.collection.relevance
        if self.unjudged not in ("wrong", "unknown"):
            raise RequestError(f"{self.name}: unjudged {self.unjudged!r} is none of wrong, unknown")
        if not (relevance > 0).any():
            raise DataError(f"{self.name}: no query has a relevant document; there is nothing to score")
        if self.unjudged == "unknown" and (relevance > 0).all():
            raise DataError(
                f"{self.name}: no document is judged wrong, so that nothing stands beside the right ones "
                "where the unjudged are unknown; take them as wrong: unjudged='wrong'"
            )

    @property
    def answered(self) -> np.ndarray:
        """The queries that have a relevant document: (m,) int64, ascending."""
        return np.unique(self.collection.query_of[self.collection.relevance > 0])

    @property
    def columns(self) -> tuple[Column, ...]:
        """The queries that are scored, and all documents."""
        queries = self.collection.queries.take(self.answered)
        return (Column(texts=queries, role="query"), Column(texts=self.collection.documents, role="document"))

    @property
    def item_texts(self) -> tuple[Texts, ...]:
        """The queries that are scored."""
        return (self.collection.queries.take(self.answered),)

    @property
    def mark(self) -> str:
        """The fingerprint: of queries, documents and judgements."""
        data = self.collection
        judged = (data.query_of, data.document_of, data.relevance)
        return fingerprint(f"retrieval {self.unjudged}", (data.queries, data.documents), judged)

    def score(self, points: Sequence[Points], *, pooling: str, clusters: np.ndarray) -> RankingScores:
        """Search for every query."""
        queries, documents = points
        return self.scores_of(self._places(queries, documents), pooling=pooling, clusters=clusters)

    def scores_of(self, found: Sequence[Places], *, pooling: str, clusters: np.ndarray) -> RankingScores:
        """Scores of places that are known, one a query of `answered`."""
        return RankingScores(
            task=self.name,
            pooling=pooling,
            places=tuple(found),
            metric=self.metric,
            clusters=clusters,
            fingerprint=self.mark,
            notes=left_out_note(self.name, len(self.collection.queries) - len(self.answered)),
        )

    def _places(self, queries: Points, documents: Points) -> tuple[Places, ...]:
        data = self.collection
        if self.unjudged == "wrong":
            rows = np.flatnonzero(data.relevance > 0)
            asked = np.searchsorted(self.answered, data.query_of[rows])
            return search_places(queries, documents, asked, data.document_of[rows], data.relevance[rows])
        rows = np.flatnonzero(np.isin(data.query_of, self.answered))
        asked = np.searchsorted(self.answered, data.query_of[rows])
        cosines = predict(
            Points(vectors=queries.vectors, ids=queries.ids[asked]),
            Points(vectors=documents.vectors, ids=documents.ids[data.document_of[rows]]),
        )
        order = np.argsort(asked, kind="stable")
        ends = np.cumsum(np.bincount(asked, minlength=len(self.answered)))[:-1]
        return tuple(places(cosines[own], data.relevance[rows[own]]) for own in np.split(order, ends))
