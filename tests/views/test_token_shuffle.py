from __future__ import annotations

import torch

from tests.views.looks import WIDTH, evenly, generator, look
from twinset.views import TokenShuffle


def test_permutes_the_real_tokens_and_leaves_padding_in_place() -> None:
    lengths = [1, 2, 9, 40]
    order = TokenShuffle()(look(lengths), width=WIDTH, generator=generator()).order
    assert order is not None
    for row, length in zip(order.tolist(), lengths, strict=True):
        assert sorted(row[:length]) == list(range(length))
        assert row[length:] == list(range(length, 40))


def test_every_place_is_equally_likely_for_every_token() -> None:
    texts, length = 20_000, 5
    order = TokenShuffle()(look([length] * texts), width=WIDTH, generator=generator()).order
    assert order is not None
    for place in range(length):
        assert evenly(torch.bincount(order[:, place], minlength=length), texts, 1 / length)


def test_all_orders_of_three_are_equally_likely() -> None:
    order = TokenShuffle()(look([3] * 12_000), width=WIDTH, generator=generator()).order
    assert order is not None
    codes, counts = torch.unique(order @ torch.tensor([9, 3, 1]), return_counts=True)
    assert len(codes) == 6
    assert evenly(counts, 12_000, 1 / 6)
