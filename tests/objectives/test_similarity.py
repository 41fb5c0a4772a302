from __future__ import annotations

import math

import pytest
import torch

from twinset.objectives.similarity import cosine, same_text


def test_cosine_by_hand() -> None:
    first = torch.tensor([[3.0, 4.0], [1.0, 0.0]])
    second = torch.tensor([[4.0, 3.0], [0.0, 2.0], [-5.0, 0.0]])
    expected = torch.tensor([[24 / 25, 4 / 5, -3 / 5], [4 / 5, 0.0, -1.0]])
    torch.testing.assert_close(cosine(first, second), expected)


@pytest.mark.parametrize(
    ("given", "result"),
    [
        (torch.bfloat16, torch.float32),
        (torch.float16, torch.float32),
        (torch.float32, torch.float32),
        (torch.float64, torch.float64),
    ],
)
def test_cosine_is_taken_in_single_precision_at_least(given: torch.dtype, result: torch.dtype) -> None:
    vector = torch.tensor([[1.0, 1.0, 1.0]], dtype=given)
    similarity = cosine(vector, vector)
    assert similarity.dtype == result
    assert math.isclose(similarity.item(), 1.0, rel_tol=1e-6)


def test_same_text_compares_every_anchor_with_every_candidate() -> None:
    found = same_text(torch.tensor([1, 2]), torch.tensor([2, 1, 2]))
    assert found.tolist() == [[False, True, False], [True, False, True]]
