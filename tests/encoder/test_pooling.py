from __future__ import annotations

import pytest
import torch

from twinset.encoder.pooling import POOLINGS, Pooling, layers_needed, mean, pool

# Three layers of one text of two real tokens and one of padding, with two features.
HIDDEN = tuple(
    torch.tensor(values)
    for values in (
        [[[1.0, 2.0], [3.0, 4.0], [100.0, 100.0]]],
        [[[5.0, 0.0], [7.0, 2.0], [100.0, 100.0]]],
        [[[-1.0, 4.0], [-3.0, 8.0], [100.0, 100.0]]],
    )
)
MASK = torch.tensor([[True, True, False]])


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("cls", [-1.0, 4.0]),
        ("mean", [-2.0, 6.0]),
        ("max", [-1.0, 8.0]),
        ("last", [-3.0, 8.0]),
        ("first_last", [2.0, 3.5]),  # layer 1: (6, 1); last: (-2, 6)
        ("last_two", [2.0, 3.5]),  # the same two of these three
        ("static_last", [0.0, 4.5]),  # layer 0: (2, 3)
    ],
)
def test_by_hand(pooling: Pooling, expected: list[float]) -> None:
    assert pool(pooling, HIDDEN, MASK).tolist() == [expected]


def test_every_pooling_is_tried_by_hand() -> None:
    assert set(POOLINGS) == {"cls", "mean", "max", "last", "first_last", "last_two", "static_last"}


def test_first_last_and_last_two_differ_with_four_layers() -> None:
    hidden = (HIDDEN[0], HIDDEN[1], HIDDEN[0] * 10, HIDDEN[2])
    assert pool("first_last", hidden, MASK).tolist() == [[2.0, 3.5]]
    assert pool("last_two", hidden, MASK).tolist() == [[9.0, 18.0]]


def test_text_without_tokens_gets_zeros() -> None:
    nothing = torch.zeros(1, 3, dtype=torch.bool)
    assert mean(HIDDEN[-1], nothing).tolist() == [[0.0, 0.0]]


def test_layers_needed() -> None:
    assert layers_needed("mean") == (-1,)
    assert set(layers_needed("static_last")) == {0, -1}


def test_the_mean_of_half_precision_states_is_precise() -> None:
    states = torch.full((1, 300, 1), 1.0)
    states[0, ::3] = 1.0078125  # one step of bf16 above 1
    found = pool("mean", (states.bfloat16(),), torch.ones(1, 300, dtype=torch.bool))
    assert found.dtype == torch.float32
    assert float(found) == pytest.approx(1 + 0.0078125 / 3, abs=1e-6)
