from __future__ import annotations

import pytest
import torch
from torch import nn

from twinset.encoder.cheap_dropout import CheapDropout, drop, exchange, keep_mask

FORMATS = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
RATES = pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])


@FORMATS
@RATES
def test_as_many_go_as_the_rate_says(rate: float, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    keep = keep_mask(torch.Size([500, 1001]), rate, dtype)
    assert keep.dtype == dtype
    assert set(keep.unique().tolist()) == {0.0, 1.0}
    kept = float(keep.double().mean())
    assert abs(kept - (1 - rate)) < 5 * (rate * (1 - rate) / keep.numel()) ** 0.5


def test_neighbours_are_independent() -> None:
    """Four decisions come from one number: each pair of them agrees as often as chance says."""
    torch.manual_seed(0)
    keep = keep_mask(torch.Size([100_000, 4]), 0.5, torch.float32)
    agree = ((keep.T @ keep) / len(keep))[~torch.eye(4, dtype=torch.bool)]
    assert float((agree - 0.25).abs().max()) < 5 * (0.25 * 0.75 / len(keep)) ** 0.5


@FORMATS
def test_what_stays_grows(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    given = torch.full((40, 50), 3.0, dtype=dtype)
    found = drop(given, 0.25)
    assert set(found.unique().tolist()) == {0.0, 4.0}


def test_the_gradient_goes_through_the_same_mask() -> None:
    torch.manual_seed(0)
    given = torch.ones(30, 40, requires_grad=True)
    found = drop(given, 0.2)
    found.sum().backward()
    assert given.grad is not None
    torch.testing.assert_close(given.grad, found.detach())


def test_a_seed_repeats_it_and_another_does_not() -> None:
    given = torch.ones(30, 40)
    torch.manual_seed(1)
    first = drop(given, 0.2)
    torch.manual_seed(1)
    assert torch.equal(drop(given, 0.2), first)
    assert not torch.equal(drop(given, 0.2), first)


def test_nothing_and_everything() -> None:
    given = torch.ones(3, 4)
    assert torch.equal(drop(given, 0.0), given)
    assert torch.equal(drop(given, 1.0), torch.zeros(3, 4))


def test_only_in_training() -> None:
    module, given = CheapDropout(0.5), torch.ones(30, 40)
    assert not torch.equal(module(given), given)
    assert torch.equal(module.eval()(given), given)


def test_exchanged_and_back() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Dropout(0.3), nn.Dropout1d(0.2)))
    model[1].eval()
    exchange(model, nn.Dropout, CheapDropout)
    inner = model[1][0]
    assert type(inner) is CheapDropout
    assert (inner.p, inner.training) == (0.3, False)
    assert type(model[1][1]) is nn.Dropout1d
    exchange(model, CheapDropout, nn.Dropout)
    assert type(model[1][0]) is nn.Dropout
