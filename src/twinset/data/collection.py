"""A search collection: queries, all documents, and which of them are judged relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from twinset.data.dataset import finite_numbers, whole_numbers
from twinset.data.pairs import Pairs
from twinset.data.texts import Texts, positions
from twinset.errors import DataError


@dataclass(frozen=True, eq=False, kw_only=True)
class Collection:
    """Queries searched against *all* documents (BEIR's queries, corpus and qrels).

    Judgement j says that `documents[document_of[j]]` has `relevance[j]` for `queries[query_of[j]]`.
    A document that is not judged is not known to be wrong. query_ids, document_ids: what files of other
    tools call them (None: they have no names). A judgement that stands there twice counts once.
    """

    queries: Texts
    documents: Texts
    query_of: np.ndarray
    document_of: np.ndarray
    relevance: np.ndarray
    query_ids: Texts | None = None
    document_ids: Texts | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, texts in (("query_of", self.queries), ("document_of", self.documents)):
            ids = whole_numbers(getattr(self, name), name)
            if ids.size and not 0 <= ids.min() <= ids.max() < len(texts):
                raise DataError(f"Collection: {name} points outside the {len(texts)} texts")
            object.__setattr__(self, name, ids)
        object.__setattr__(self, "relevance", finite_numbers(self.relevance, "relevance"))
        if not len(self.query_of) == len(self.document_of) == len(self.relevance):
            raise DataError("Collection: query_of, document_of and relevance have different lengths")
        for name, texts in (("query_ids", self.queries), ("document_ids", self.documents)):
            ids = getattr(self, name)
            if ids is not None and len(ids) != len(texts):
                raise DataError(f"Collection: {len(ids)} {name} for {len(texts)} texts")
        self._judge_once()

    def _judge_once(self) -> None:
        pairs = self.query_of * max(len(self.documents), 1) + self.document_of
        kept, first, again = np.unique(pairs, return_index=True, return_inverse=True)
        if len(kept) == len(pairs):
            return
        before = first[again.reshape(-1)]
        other = np.flatnonzero(self.relevance != self.relevance[before])
        if other.size:
            raise DataError(
                f"Collection: judgements {before[other[0]] + 1} and {other[0] + 1} give one document two "
                "relevances for one query; keep one of them"
            )
        first.sort()
        for name in ("query_of", "document_of", "relevance"):
            object.__setattr__(self, name, getattr(self, name)[first])

    def take_queries(self, indices: np.ndarray | Sequence[int]) -> Collection:
        """Keep the queries at `indices` with their judgements, and all documents."""
        rows = positions(indices, len(self.queries))
        place = np.full(len(self.queries), -1)
        place[rows] = np.arange(len(rows))
        kept = np.flatnonzero(place[self.query_of] >= 0)
        return replace(
            self,
            queries=self.queries.take(rows),
            query_of=place[self.query_of[kept]],
            document_of=self.document_of[kept],
            relevance=self.relevance[kept],
            query_ids=None if self.query_ids is None else self.query_ids.take(rows),
        )

    def relevant(self) -> Pairs:
        """Every (query, relevant document), as pairs to train on."""
        rows = np.flatnonzero(self.relevance > 0)
        first = self.queries.take(self.query_of[rows])
        second = self.documents.take(self.document_of[rows])
        return Pairs(first, second, roles=("query", "document"), notes=self.notes)
