from __future__ import annotations

import numpy as np
import pytest

from twinset.data import LabelledPairs, Pairs, ScoredPairs
from twinset.errors import DataError


def test_scores_become_doubles() -> None:
    data = ScoredPairs(["a", "b"], ["c", "d"], [1, 4.5])
    assert data.scores.dtype == np.float64
    assert data.labels is None


@pytest.mark.parametrize("scores", [[1.0, float("nan")], [1.0, float("inf")]])
def test_scores_must_be_finite(scores: list[float]) -> None:
    with pytest.raises(DataError, match=r"row 2 is (nan|inf), not a finite number"):
        ScoredPairs(["a", "b"], ["c", "d"], scores)


@pytest.mark.parametrize(("labels", "message"), [([0.5], "whole numbers"), ([-1], "-1 is below 0")])
def test_labels_must_be_classes(labels: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        LabelledPairs(["a"], ["b"], np.array(labels))


def test_looks() -> None:
    assert repr(Pairs(["a"], ["b"])) == "Pairs(1 pairs: first=Texts(1: 'a'), second=Texts(1: 'b'))"
