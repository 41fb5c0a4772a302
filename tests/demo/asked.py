"""Questions whose answers lie at known angles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from twinset.demo.questions import Questions

ASKED = Questions(
    kind="description",
    package="pk",
    asked=("question one", "question two"),
    candidates=("summary one", "summary two", "summary three", "summary four"),
    right=((0, 2), (3,)),
    own=(-1, -1),
    files=("pk.a", "pk.b"),
)
ANGLES = {
    "question one": 0,
    "question two": 90,
    "summary one": 20,
    "summary two": 10,
    "summary three": -40,
    "summary four": 100,
}


class Angles:
    """Texts as unit vectors in the plane, at these degrees."""

    def __init__(self, angles: Mapping[str, float] = ANGLES) -> None:
        self._angles = angles

    def encode(self, texts: Iterable[str], **settings: object) -> np.ndarray:
        degrees = np.radians([self._angles[text] for text in texts])
        return np.stack([np.cos(degrees), np.sin(degrees)], axis=1)
