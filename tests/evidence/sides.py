"""Stand-ins for encoders whose scores are known to differ, and pairs to score them on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from twinset.data import ScoredPairs, Texts
from twinset.evaluation import StsTask, Suite

COUNT = 90
_GOLD = np.linspace(0, 5, COUNT).round(2)


def sts_pairs(shift: int = 0) -> ScoredPairs:
    """Pairs "a<i>", "b<i>" whose gold scores rise with i."""
    first = Texts([f"a{number + shift}" for number in range(COUNT)])
    second = Texts([f"b{number + shift}" for number in range(COUNT)])
    return ScoredPairs(first, second, scores=_GOLD)


def sts_suite(shift: int = 0) -> Suite:
    """Two tasks with different pairs."""
    return Suite(
        name="two",
        tasks=(
            StsTask(name="one", pairs=sts_pairs(shift)),
            StsTask(name="other", pairs=sts_pairs(shift + 1000)),
        ),
    )


class Noisy:
    """The cosine of "a<i>" and "b<i>" rises with i, but for noise of this size."""

    def __init__(self, noise: float, seed: int = 0, name: str = "noisy") -> None:
        self.noise, self.seed, self.name = noise, seed, name

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        rows = [self._vector(text) for text in texts]
        return np.array(rows, dtype=np.float32)

    def _vector(self, text: str) -> tuple[float, float]:
        place = int(text[1:])
        own = np.random.default_rng([self.seed, place]).normal()
        angle = 0.0 if text[0] == "a" else 1.4 - (place % 1000) / COUNT + self.noise * own
        return float(np.cos(angle)), float(np.sin(angle))
