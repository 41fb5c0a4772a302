from __future__ import annotations

import numpy as np
import pytest

from twinset.evaluation import Points, predict


def test_rows_are_looked_up_and_cosines_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict, "ROWS", 2)
    vectors = np.array([[1, 0], [0, 2], [1, 1]], dtype=np.float32)
    first = Points(vectors=vectors, ids=np.array([0, 0, 2, 1, 1]))
    second = Points(vectors=vectors, ids=np.array([0, 2, 1, 0, 1]))
    assert predict.predict(first, second).tolist() == [1.0, 0.707107, 0.707107, 0.0, 1.0]


def test_equal_texts_tie_whatever_the_last_bits_are() -> None:
    vectors = np.random.default_rng(0).normal(size=(200, 33)).astype(np.float32)
    same = Points(vectors=vectors, ids=np.arange(200))
    assert set(predict.predict(same, same).tolist()) == {1.0}


def test_no_pairs_have_no_cosines() -> None:
    none = Points(vectors=np.empty((0, 3), np.float32), ids=np.empty(0, np.int64))
    assert predict.predict(none, none).tolist() == []
