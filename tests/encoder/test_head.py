from __future__ import annotations

import torch
from torch import nn

from twinset.encoder.head import Dense, UnitLength


def test_dense_by_hand() -> None:
    linear = nn.Linear(2, 1)
    linear.weight.data = torch.tensor([[2.0, -1.0]])
    linear.bias.data = torch.tensor([0.5])
    assert Dense(linear, nn.ReLU())(torch.tensor([[1.0, 1.0], [0.0, 3.0]])).tolist() == [[1.5], [0.0]]


def test_unit_length_by_hand() -> None:
    torch.testing.assert_close(UnitLength()(torch.tensor([[3.0, 4.0]])), torch.tensor([[0.6, 0.8]]))
    assert UnitLength()(torch.zeros(1, 2)).tolist() == [[0.0, 0.0]]
