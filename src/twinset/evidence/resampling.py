"""Draws of test items, with replacement, by connected component.

Items that share a text come and go together. All tasks are drawn at once: a component that reaches over
several tasks is drawn for all of them.

    weights[task][i, b] = how often the component of item i came in draw b
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from twinset.errors import RequestError

BLOCK = 32
"""Draws made at once: as many as stay near the processor for a task of some thousand items."""


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """Which component each item of each task belongs to, and what weight each component has.

    places[task] (n,) from 0 to count - 1.
    """

    places: Mapping[str, np.ndarray]
    count: int
    effective: float

    @classmethod
    def of(cls, by_task: Mapping[str, np.ndarray]) -> Clusters:
        """by_task: numbers (n,) that are equal for items of one component, over all tasks."""
        if not by_task:
            raise RequestError("a comparison needs at least one task")
        together = np.concatenate(list(by_task.values()))
        if not together.size:
            raise RequestError("a comparison needs at least one item")
        _, numbered = np.unique(together, return_inverse=True)
        ends = np.cumsum([len(ids) for ids in by_task.values()])
        parts = np.split(numbered.reshape(-1), ends[:-1])
        count = int(numbered.max()) + 1
        # A task counts once, whatever its size, and so does an item within its task.
        shares = np.mean([np.bincount(part, minlength=count) / max(1, len(part)) for part in parts], axis=0)
        return cls(
            places=dict(zip(by_task, parts, strict=True)),
            count=count,
            effective=float(1.0 / np.square(shares).sum()),
        )


@final
class Resampler:
    """The same draws for the same seed, whoever makes them: block k has a generator of its own."""

    def __init__(self, clusters: Clusters, *, draws: int, seed: int) -> None:
        if draws < 2:
            raise RequestError(f"resamples: {draws} is below 2")
        self.clusters, self.draws, self.seed = clusters, draws, seed

    def blocks(self) -> Sequence[range]:
        """Which draws each block holds."""
        return [range(first, min(first + BLOCK, self.draws)) for first in range(0, self.draws, BLOCK)]

    def counts(self, block: range) -> np.ndarray:
        """How often each component came in each draw of a block: (components, draws) float64."""
        generator = np.random.default_rng([self.seed, block.start])
        count, draws = self.clusters.count, len(block)
        drawn = generator.integers(0, count, size=(draws, count), dtype=np.int64)
        drawn += np.arange(draws)[:, None] * count
        flat = np.bincount(drawn.ravel(), minlength=draws * count)
        return np.ascontiguousarray(flat.reshape(draws, count).T, dtype=np.float64)

    def weights(self, block: range) -> Iterator[tuple[str, np.ndarray]]:
        """Each task's items in the draws of a block: (n, draws)."""
        counts = self.counts(block)
        for task, places in self.clusters.places.items():
            yield task, counts.take(places, axis=0)
