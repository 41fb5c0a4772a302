"""Queries, each with its own candidates and how relevant every one of them is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np

from twinset.data.dataset import Aligned, By, Unlabelled, finite_numbers, whole_numbers
from twinset.data.groups import Groups
from twinset.data.pairs import LabelledPairs
from twinset.data.texts import Texts, positions
from twinset.errors import DataError


class RankedList(NamedTuple):
    """One query: its text, its candidates (k texts), their relevance (k,) and the rows they stand in (k,)."""

    query: str
    candidates: Texts
    relevance: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class RankedLists(Unlabelled, Aligned):
    """One row a (query, candidate): row i is `queries[query_of[i]]`, `candidates[i]`, `relevance[i]`.

    `queries` holds each query once (m of them), the other three have one entry a row: `query_of` (n,)
    int64, `relevance` (n,) float64, 0 for not relevant. Roles default to query and document.
    """

    unit: ClassVar[str] = "judged candidates"
    text_fields: ClassVar[tuple[str, ...]] = ("queries", "candidates")

    queries: Texts
    candidates: Texts
    query_of: np.ndarray
    relevance: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "query_of", whole_numbers(self.query_of, "query_of"))
        object.__setattr__(self, "relevance", finite_numbers(self.relevance, "relevance"))
        object.__setattr__(self, "roles", tuple(self.roles) or ("query", "document"))
        super().__post_init__()
        if self.query_of.size and not 0 <= self.query_of.min() <= self.query_of.max() < len(self.queries):
            raise DataError(f"RankedLists: query_of points outside the {len(self.queries)} queries")

    @classmethod
    def of_labels(cls, pairs: LabelledPairs, relevant: Sequence[str]) -> Self:
        """Take labelled pairs for candidates of a query: those whose label is in `relevant` are right.

        A query is a group of rows where the pairs have groups (its text then that of the first row), else a
        distinct first text.
        """
        unknown = [name for name in relevant if name not in pairs.label_names]
        if unknown:
            raise DataError(
                f"ranked lists: label {unknown[0]!r} is none of {', '.join(pairs.label_names) or 'none'}"
            )
        ids = pairs.first.ids() if pairs.groups is None else pairs.groups.ids
        kept, first, query_of = np.unique(ids, return_index=True, return_inverse=True)
        right = np.isin(pairs.labels, [pairs.label_names.index(name) for name in relevant])
        return cls(
            pairs.first.take(first),
            pairs.second,
            query_of.reshape(len(ids)).astype(np.int64) if len(kept) else ids,
            right.astype(np.float64),
            notes=pairs.notes,
        )

    def _aligned(self) -> dict[str, Texts | np.ndarray | Groups]:
        return {name: value for name, value in super()._aligned().items() if name != "queries"}

    def __len__(self) -> int:
        return len(self.candidates)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankedLists):
            return NotImplemented
        return super().__eq__(other) and self.queries == other.queries

    __hash__ = None  # type: ignore[assignment]  # equality compares contents

    @property
    def columns(self) -> tuple[Texts, ...]:
        """Each row's query and candidate."""
        return (self.queries.take(self.query_of), self.candidates)

    @property
    def scores(self) -> np.ndarray:
        """The relevance, under the name every typed sequence has for it."""
        return self.relevance

    def take(self, indices: np.ndarray | Sequence[int]) -> Self:
        """Keep the rows at `indices`, and the queries these rows have."""
        rows = positions(indices, len(self))
        kept, query_of = np.unique(self.query_of[rows], return_inverse=True)
        return replace(
            self,
            queries=self.queries.take(kept),
            candidates=self.candidates.take(rows),
            query_of=query_of.reshape(-1),
            relevance=self.relevance[rows],
            groups=None if self.groups is None else self.groups.take(rows),
        )

    def split(
        self,
        by: By = "random",
        sizes: Sequence[float] = (0.8, 0.1, 0.1),
        *,
        seed: int = 0,
        groups: Sequence[object] | np.ndarray | None = None,
    ) -> tuple[Self, ...]:
        """Split as the others do, but a query's candidates stay together: at random means random queries."""
        if by == "random":
            return super().split("group", sizes, seed=seed, groups=self.query_of)
        return super().split(by, sizes, seed=seed, groups=groups)

    def lists(self) -> Iterator[RankedList]:
        """Walk through the queries with their candidates, in the order of the rows."""
        order = np.argsort(self.query_of, kind="stable")
        ends = np.cumsum(np.bincount(self.query_of, minlength=len(self.queries)))
        for query, rows in enumerate(np.split(order, ends[:-1]) if len(self.queries) else []):
            yield RankedList(self.queries[query], self.candidates.take(rows), self.relevance[rows], rows)
