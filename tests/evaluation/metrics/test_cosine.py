from __future__ import annotations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation.metrics import cosine


def test_values_worked_out_by_hand() -> None:
    a = np.array([[3.0, 4.0], [1.0, 0.0], [2.0, 0.0]], dtype=np.float32)
    b = np.array([[4.0, 3.0], [0.0, 7.0], [-5.0, 0.0]], dtype=np.float32)
    assert cosine(a, b).tolist() == pytest.approx([0.96, 0.0, -1.0], abs=1e-15)


def test_a_zero_vector_is_like_nothing() -> None:
    assert cosine(np.zeros((1, 3)), np.ones((1, 3))).tolist() == [0.0]


def test_vectors_that_are_not_numbers_stay_so() -> None:
    assert np.isnan(cosine(np.full((1, 2), np.nan), np.ones((1, 2)))).all()


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(RequestError, match=r"\(2, 2\) and \(3, 2\)"):
        cosine(np.ones((2, 2)), np.ones((3, 2)))
