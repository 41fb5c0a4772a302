from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from scipy.stats import binomtest

from twinset.demo.library import Topic
from twinset.demo.retrieval import chance, found_by

TOPICS = (
    Topic(name="x", known=("x1", "x2"), asked="x?"),
    Topic(name="y", known=("y1", "y2"), asked="y?"),
)
ANGLES = {"x1": 0, "x2": 80, "y1": 10, "y2": 120, "x?": 5.1, "y?": 95}


class _Angles:
    """Texts at known angles."""

    def encode(self, texts: str | Iterable[str], **settings: object) -> np.ndarray:
        if isinstance(texts, str):
            return self.encode([texts])[0]
        degrees = np.radians([ANGLES[text] for text in texts])
        return np.stack([np.cos(degrees), np.sin(degrees)], axis=1)


def test_ranks_hits_and_mrr_by_hand() -> None:
    found = found_by(_Angles(), TOPICS)  # type: ignore[arg-type]
    # x? at 5.1: y1 (4.9 away) before x1 (5.1). y? at 95: x2 (15 away) before y2 (25 away).
    assert found.ranks == (2, 2)
    assert found.nearest == ("y1", "x2")
    assert (found.hits, found.mrr) == (0, 0.5)


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (1, 0), (5, 0), (10, 6), (6, 10), (7, 7)])
def test_chance_is_the_sign_test(better: int, worse: int) -> None:
    total = better + worse
    expected = binomtest(better, total).pvalue if total else 1.0
    assert chance(better, worse) == pytest.approx(expected)
