"""Correlations of many draws at once: an item with weight w counts as w equal items.

Spearman's is Pearson's of the ranks, and the ranks of a draw need no sorting anew: in the order of the whole
set, item i of weight w_i stands behind C_i - w_i others, and its w_i copies share the average rank

    rank_i = C_i - (w_i - 1) / 2,      C_i = w_1 + ... + w_i

Equal values stand in one group, whose weight is the sum of theirs.
"""

from __future__ import annotations

from typing import final

import numpy as np

from twinset.evaluation.items import Correlated


@final
class _Ranks:
    """A column's ranks in any draw."""

    def __init__(self, values: np.ndarray) -> None:
        self._order = np.argsort(values, kind="stable")
        ordered = values[self._order]
        fresh = np.empty(len(values), dtype=bool)
        fresh[:1] = True
        np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
        self._starts = np.flatnonzero(fresh)
        self._group = np.empty(len(values), dtype=np.int64)
        self._group[self._order] = np.cumsum(fresh) - 1

    def of(self, weights: np.ndarray) -> np.ndarray:
        """(n, b) weights to (n, b) ranks."""
        grouped = weights.take(self._order, axis=0)
        if len(self._starts) < len(self._order):
            grouped = np.add.reduceat(grouped, self._starts, axis=0)
        middle = np.cumsum(grouped, axis=0)
        middle -= (grouped - 1) / 2
        return middle.take(self._group, axis=0)


@final
class WeightedCorrelation:
    """One task's gold scores and the predictions of several systems: (n, b) weights to (systems, b) values.

    What the gold scores give is worked out once for all systems.
    """

    def __init__(self, systems: list[Correlated]) -> None:
        first = systems[0]
        self._by_rank = first.metric == "spearman"
        self._weigh_subsets = first.weighted
        whole = [np.arange(len(first))]
        subsets = first.subsets
        rows = whole if subsets is None else [np.flatnonzero(subsets == name) for name in np.unique(subsets)]
        self._parts = [
            (part, self._columns([first.gold[part], *(one.predicted[part] for one in systems)]))
            for part in rows
        ]

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        values, sizes = [], []
        for rows, columns in self._parts:
            own = weights if len(self._parts) == 1 else weights.take(rows, axis=0)
            values.append(self._correlated(columns, own))
            sizes.append(own.sum(axis=0))
        if len(values) == 1:
            return values[0]
        shares = np.stack(sizes) if self._weigh_subsets else np.ones((len(sizes), weights.shape[1]))
        return np.einsum("psb,pb->sb", np.stack(values), shares / shares.sum(axis=0))

    def _columns(self, columns: list[np.ndarray]) -> list[_Ranks] | list[np.ndarray]:
        if self._by_rank:
            return [_Ranks(column) for column in columns]
        return [(column - column.mean())[:, None] for column in columns]

    def _correlated(self, columns: list[_Ranks] | list[np.ndarray], weights: np.ndarray) -> np.ndarray:
        total = weights.sum(axis=0)
        gold, *others = columns
        first = _centred(gold, weights, total)
        weighted = weights * first
        own = np.einsum("nb,nb->b", weighted, first)
        found: list[np.ndarray] = []
        for other in others:
            second = _centred(other, weights, total)
            shared = np.einsum("nb,nb->b", weighted, second)
            second *= second
            theirs = np.einsum("nb,nb->b", weights, second)
            with np.errstate(invalid="ignore", divide="ignore"):
                found.append(shared / np.sqrt(own * theirs))
        return np.stack(found)


def _centred(column: _Ranks | np.ndarray, weights: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Values, or ranks, less their mean in each draw: (n, b)."""
    if isinstance(column, _Ranks):
        ranks = column.of(weights)
        ranks -= (total + 1) / 2
        return ranks
    return column - np.einsum("nb,nb->b", weights, np.broadcast_to(column, weights.shape)) / total
