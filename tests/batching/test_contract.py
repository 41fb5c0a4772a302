"""What every batching of the union keeps to. A new one is checked here without a line added."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import sys
from typing import get_args

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from twinset.batching import AnyBatching
from twinset.types import Batching

MEMBERS = get_args(AnyBatching)


def batches(batching: Batching, count: int, size: int, seed: int = 0) -> list[Tensor]:
    draw = torch.Generator().manual_seed(seed)
    vectors = torch.randn(count, 4, generator=torch.Generator().manual_seed(7))
    return batching.batches(ids=torch.arange(count)[None], size=size, generator=draw, vectors=lambda: vectors)


@pytest.mark.parametrize("member", MEMBERS)
def test_settings_are_frozen_by_keyword_and_described(member: type) -> None:
    parameters = getattr(member, "__dataclass_params__", None)
    assert parameters is not None
    assert parameters.frozen
    assert all(item.kw_only for item in dataclasses.fields(member))
    assert inspect.getdoc(member)
    assert doctest.testmod(sys.modules[member.__module__]).failed == 0
    assert isinstance(member(), Batching)


@pytest.mark.parametrize("member", MEMBERS)
@given(count=st.integers(1, 60), size=st.integers(1, 70), seed=st.integers(0, 2**31))
def test_every_row_is_in_one_batch(member: type, count: int, size: int, seed: int) -> None:
    found = batches(member(), count, size, seed)
    assert sorted(torch.cat(found).tolist()) == list(range(count))
    assert all(len(batch) == size for batch in found[:-1])
    # A last text that would meet nobody joins the batch before.
    assert min(2, size, count) <= len(found[-1]) <= size + (size > 1)


@pytest.mark.parametrize("member", MEMBERS)
@given(count=st.integers(1, 60), size=st.integers(1, 70))
def test_drop_last_leaves_out_the_batch_that_is_not_full(member: type, count: int, size: int) -> None:
    found = batches(member(drop_last=True), count, size)
    if count < size:
        assert [len(batch) for batch in found] == [count]
    else:
        assert [len(batch) for batch in found] == [size] * (count // size)
    assert len(set(torch.cat(found).tolist())) == sum(map(len, found))


@pytest.mark.parametrize("member", MEMBERS)
def test_order_is_a_function_of_the_generator(member: type) -> None:
    torch.manual_seed(0)
    first = torch.cat(batches(member(), 50, 8, seed=3))
    torch.manual_seed(1)
    assert torch.equal(first, torch.cat(batches(member(), 50, 8, seed=3)))
