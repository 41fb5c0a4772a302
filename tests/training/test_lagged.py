from __future__ import annotations

import pytest
import torch
from torch import nn

from twinset.errors import RecipeError
from twinset.training.lagged import Lagged


def linear(value: float) -> nn.Linear:
    layer = nn.Linear(2, 2)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.fill_(value)
    return layer


@pytest.mark.parametrize(("average", "expected"), [(0.0, 5.0), (0.75, 2.0)])
def test_follow_by_hand(average: float, expected: float) -> None:
    older, current = linear(1.0), linear(5.0)
    Lagged(average=average).follow(older, current)
    assert all(torch.equal(p, torch.full_like(p, expected)) for p in older.parameters())
    assert all(torch.equal(p, torch.full_like(p, 5.0)) for p in current.parameters())


@pytest.mark.parametrize("average", [-0.1, 1.0])
def test_impossible_average_is_refused(average: float) -> None:
    with pytest.raises(RecipeError, match=r"lagged\.average"):
        Lagged(average=average)
