"""Encoders whose vectors are known, and pairs whose cosines are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinset.data import Groups, ScoredPairs, Texts


class KnownVectors:
    """Gives the unit vector at the angle (in degrees) that a text names; counts what it is asked."""

    name = "known"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Texts, /) -> np.ndarray:
        self.seen.extend(texts)
        return np.array([angle(text) for text in texts], dtype=np.float32)


class KnownPoolings(KnownVectors):
    """The same with two poolings: `mean` as above, `cls` the other way round: a greater angle is nearer."""

    pooling = "mean"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, ...]] = []

    def poolings(self, texts: Texts, names: Sequence[str], /) -> dict[str, np.ndarray]:
        self.asked.append(tuple(names))
        vectors = self.encode(texts)
        zero = vectors[:, 1:] == 0
        both = {"mean": vectors, "cls": np.where(zero, vectors, vectors[:, ::-1])}
        return {name: both[name] for name in names}


def angle(text: str) -> tuple[float, float]:
    radians = np.radians(float(text.split("|", maxsplit=1)[0]))
    return float(np.cos(radians)), float(np.sin(radians))


def pairs(
    angles: Sequence[float], gold: Sequence[float], subsets: Sequence[str] | None = None
) -> ScoredPairs:
    """Pairs ("0", angle): the smaller the angle, the higher the cosine."""
    return ScoredPairs(
        Texts(["0"] * len(angles)),
        Texts([f"{value:g}" for value in angles]),
        np.asarray(gold, dtype=np.float64),
        groups=Groups.of(subsets) if subsets is not None else None,
    )


# Two subsets worked out by hand. Cosine falls as the angle grows, so the predicted ranks are known:
#   a (4 pairs): predicted order 4 3 2 1, gold 4 3 1 2    -> rho = 1 - 6 * (1 + 1) / (4 * 15) = 0.8
#   b (2 pairs): predicted order 2 1,     gold 1 2        -> rho = -1
#   all (6):     predicted 6 5 4 2 3 1,   gold 5 4 2 3 1 6 (ranks)
#                differences 1 1 2 -1 2 -5, squares 36    -> rho = 1 - 6 * 36 / (6 * 35) = -1/35
#   mean = (0.8 - 1) / 2 = -0.1           wmean = (4 * 0.8 - 2 * 1) / 6 = 0.2
TOY = pairs(
    angles=(10, 20, 30, 50, 40, 60),
    gold=(4.0, 3.0, 1.0, 2.0, 0.5, 5.0),
    subsets=("a", "a", "a", "a", "b", "b"),
)
TOY_ALL, TOY_MEAN, TOY_WMEAN = -1 / 35, -0.1, 0.2
