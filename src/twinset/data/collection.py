"""A search collection: queries, all documents, and which of them are judged relevant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twinset.data.dataset import finite_numbers, whole_numbers
from twinset.data.pairs import Pairs
from twinset.data.texts import Texts
from twinset.errors import DataError


@dataclass(frozen=True, eq=False, kw_only=True)
class Collection:
    """Queries searched against *all* documents (BEIR's queries, corpus and qrels).

    Judgement j says that `documents[document_of[j]]` has `relevance[j]` for `queries[query_of[j]]`.
    A document that is not judged is not known to be wrong.
    """

    queries: Texts
    documents: Texts
    query_of: np.ndarray
    document_of: np.ndarray
    relevance: np.ndarray
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

    def relevant(self) -> Pairs:
        """Every (query, relevant document), as pairs to train on."""
        rows = np.flatnonzero(self.relevance > 0)
        first = self.queries.take(self.query_of[rows])
        second = self.documents.take(self.document_of[rows])
        return Pairs(first, second, roles=("query", "document"), notes=self.notes)
