"""What every system scores on the items as they are, and on each draw of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from twinset.errors import RequestError
from twinset.evidence.resampling import Clusters, Resampler
from twinset.evidence.system import RunItems
from twinset.evidence.weighted import Weighted, weighted

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class Replicates:
    """observed (runs, tasks): scores on all items, each once. drawn (draws, runs, tasks): on each draw."""

    observed: np.ndarray
    drawn: np.ndarray


def replicate(
    runs: Sequence[RunItems],
    clusters: Clusters,
    *,
    draws: int,
    seed: int,
    workers: int = 1,
    progress: Progress | None = None,
) -> Replicates:
    """Score all runs on the same draws. Neither the number of workers nor their order changes a digit."""
    tasks = tuple(clusters.places)
    scored = {task: weighted([run[task] for run in runs]) for task in tasks}
    ones = {task: np.ones((len(places), 1)) for task, places in clusters.places.items()}
    observed = np.stack([scored[task](ones[task])[:, 0] for task in tasks], axis=-1)
    if not np.isfinite(observed).all():
        where = [task for number, task in enumerate(tasks) if not np.isfinite(observed[:, number]).all()]
        raise RequestError(
            f"{', '.join(where)}: a score is not a number, so nothing can be compared "
            "(all predictions equal, or all gold scores)"
        )
    resampler = Resampler(clusters, draws=draws, seed=seed)
    parts: list[np.ndarray] = []
    for part in _in_order(resampler, scored, workers):
        parts.append(part)
        if progress is not None:
            progress(sum(map(len, parts)), draws)
    return Replicates(observed=observed, drawn=np.concatenate(parts))


def _in_order(resampler: Resampler, scored: dict[str, Weighted], workers: int) -> Iterator[np.ndarray]:
    def one(block: range) -> np.ndarray:
        values = [scored[task](weights) for task, weights in resampler.weights(block)]
        return np.stack(values, axis=-1).transpose(1, 0, 2)

    if workers <= 1:
        yield from map(one, resampler.blocks())
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(one, resampler.blocks())
