from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from twinset.encoder.chunks import cut

LENGTHS = st.lists(st.integers(0, 40), max_size=60)


def test_by_hand() -> None:
    chunks = cut(torch.tensor([5, 2, 9, 2, 3]), 9)
    assert [chunk.tolist() for chunk in chunks] == [[1, 3, 4], [0], [2]]


def test_no_budget_is_one_chunk_in_the_given_order() -> None:
    assert [chunk.tolist() for chunk in cut(torch.tensor([3, 1, 2]), None)] == [[0, 1, 2]]


@given(LENGTHS, st.integers(1, 100))
def test_every_row_once_within_the_budget(lengths: list[int], budget: int) -> None:
    chunks = cut(torch.tensor(lengths, dtype=torch.int64), budget)
    assert sorted(row for chunk in chunks for row in chunk.tolist()) == list(range(len(lengths)))
    for chunk in chunks:
        assert len(chunk) == 1 or len(chunk) * max(lengths[row] for row in chunk) <= budget


@given(LENGTHS, st.integers(1, 100))
def test_chunks_go_from_short_to_long(lengths: list[int], budget: int) -> None:
    order = [lengths[row] for chunk in cut(torch.tensor(lengths, dtype=torch.int64), budget) for row in chunk]
    assert order == sorted(lengths)


@given(LENGTHS, st.integers(1, 100))
def test_packed_tokens_count_and_padding_does_not(lengths: list[int], budget: int) -> None:
    chunks = cut(torch.tensor(lengths, dtype=torch.int64), budget, packed=True)
    assert sorted(row for chunk in chunks for row in chunk.tolist()) == list(range(len(lengths)))
    sizes = [sum(lengths[row] for row in chunk) for chunk in chunks]
    assert all(len(chunk) == 1 or size <= budget for chunk, size in zip(chunks, sizes, strict=True))
    for size, following in zip(sizes, chunks[1:], strict=False):
        assert size + min(lengths[row] for row in following) > budget


def test_packed_rows_that_fit_at_once_keep_their_order() -> None:
    assert [chunk.tolist() for chunk in cut(torch.tensor([3, 1, 2]), 6, packed=True)] == [[0, 1, 2]]
