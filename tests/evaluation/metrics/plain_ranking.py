"""The metrics of rankings as plain loops over the formulas, and random rankings to try them on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

CASES = 1000


def in_order(scores: Sequence[float], gains: Sequence[float]) -> list[float]:
    """The gains in the order of the ranking; of equal scores the smaller gain first."""
    return [gain for _, gain in sorted(zip(scores, gains, strict=True), key=lambda item: (-item[0], item[1]))]


def plain_ndcg(gains: Sequence[float], k: int) -> float:
    def dcg(values: Sequence[float]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(values[:k], 1))

    return dcg(gains) / dcg(sorted(gains, reverse=True))


def plain_map(gains: Sequence[float], k: int) -> float:
    hits, total = 0, 0.0
    for rank, gain in enumerate(gains, 1):
        if gain > 0:
            hits += 1
            total += hits / rank if rank <= k else 0
    return total / hits


def plain_mrr(gains: Sequence[float], k: int) -> float:
    return next((1 / rank for rank, gain in enumerate(gains[:k], 1) if gain > 0), 0.0)


def plain_precision(gains: Sequence[float], k: int) -> float:
    return sum(gain > 0 for gain in gains[:k]) / k


def plain_recall(gains: Sequence[float], k: int) -> float:
    return sum(gain > 0 for gain in gains[:k]) / sum(gain > 0 for gain in gains)


def plain_has_positive(gains: Sequence[float], k: int) -> float:
    return float(any(gain > 0 for gain in gains[:k]))


def rankings(*, ties: bool) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Scores (n,), graded relevance (n,) with one item above 0 at least, and a cut."""
    for seed in range(CASES):
        generator = np.random.default_rng(seed)
        size = int(generator.integers(1, 40))
        scores = generator.permutation(size) / 4
        if ties:
            scores = generator.integers(0, max(2, size // 3), size=size) / 4
        relevance = generator.choice([0, 0, 0, 1, 2, 3], size=size)
        relevance[int(generator.integers(size))] = 1 + seed % 3
        yield scores, relevance, int(generator.integers(1, 15))
