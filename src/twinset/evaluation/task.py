"""What a task is, and what it gives: one form for every kind, so that a suite may mix them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from twinset.data.texts import Texts
from twinset.evaluation.items import Items

TaskKind = Literal["sts", "pairs", "ranking", "transfer", "values"]
"""values: one number an item, from a file of somebody else's."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """Texts that a task wants as vectors, and their role: whose prompt is put in front."""

    texts: Texts
    role: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Points:
    """A column's vectors: row i is `vectors[ids[i]]`. vectors (t, d), one a distinct text; ids (n,)."""

    vectors: np.ndarray
    ids: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, which: slice | np.ndarray) -> np.ndarray:
        """Vectors (k, d) of some rows."""
        return self.vectors[self.ids[which]]


class TaskScores(Protocol):
    """What a system scores on one task under one pooling, item by item.

    metric, value: the headline's name and value. metrics: every metric by name, the headline among them.
    clusters (n,) int64: items of one number share a text, directly or through others; the numbers run over
    the whole suite. fingerprint: equal where the items are equal - their texts and judgements, whatever was
    predicted. notes: what a reader of these numbers must know.
    """

    @property
    def kind(self) -> TaskKind: ...
    @property
    def task(self) -> str: ...
    @property
    def pooling(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def metrics(self) -> Mapping[str, float]: ...
    @property
    def clusters(self) -> np.ndarray: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def value(self) -> float: ...
    def __len__(self) -> int: ...

    def items(self, metric: str | None = None) -> Items:
        """Give the single items of a metric (None: the headline)."""
        ...

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        ...

    def facts(self) -> dict[str, object]:
        """Give what a file must hold of the items, whatever was predicted for them."""
        ...

    def found(self) -> object:
        """Give what a file must hold of the predictions."""
        ...


class Task(Protocol):
    """Something an encoder can be scored on.

    columns: the texts it needs as vectors. item_texts: columns (n,) of the texts each item is made of.
    """

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def item_texts(self) -> tuple[Texts, ...]: ...

    def score(self, points: Sequence[Points], *, pooling: str, clusters: np.ndarray) -> TaskScores:
        """Score the vectors of `columns`, in their order."""
        ...
