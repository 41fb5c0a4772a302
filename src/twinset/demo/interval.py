"""How sure a difference is: questions from one file hang together, so files are drawn, not questions.

Paired bootstrap over clusters: of each package as many files as it has are drawn, with replacement; the
difference is the mean over the drawn files' questions, averaged over packages; the interval holds the middle
95% of the draws. It says what other questions like these might give, not what another seed would.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

DRAWS = 2_000
_MIDDLE = (2.5, 97.5)


def interval(
    differences: Sequence[np.ndarray], files: Sequence[Sequence[str]], *, seed: int = 0
) -> tuple[float, float]:
    """differences: one (q,) a package. files: for each of its questions, where it comes from."""
    generator = np.random.default_rng(seed)
    draws = [_means(values, names, generator) for values, names in zip(differences, files, strict=True)]
    low, high = np.percentile(np.mean(draws, axis=0), _MIDDLE)
    return float(low), float(high)


def _means(values: np.ndarray, names: Sequence[str], generator: np.random.Generator) -> np.ndarray:
    """(DRAWS,) means of one package."""
    _, cluster = np.unique(np.asarray(names), return_inverse=True)
    sums, sizes = np.bincount(cluster, weights=values), np.bincount(cluster)
    drawn = generator.integers(len(sizes), size=(DRAWS, len(sizes)))
    return sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
