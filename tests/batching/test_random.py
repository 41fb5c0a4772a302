from __future__ import annotations

import torch

from tests.batching.test_contract import batches
from twinset.batching import Random


def test_every_epoch_in_a_new_order_none_of_them_the_file_s() -> None:
    first, second = (torch.cat(batches(Random(), 50, 8, seed=seed)) for seed in (0, 1))
    assert not torch.equal(first, second)
    assert not torch.equal(first, torch.arange(50))


def test_every_row_is_equally_likely_to_come_first() -> None:
    firsts = torch.tensor([int(batches(Random(), 5, 2, seed=seed)[0][0]) for seed in range(2_000)])
    counts = torch.bincount(firsts, minlength=5)
    assert bool(((counts - 400).abs() < 5 * (2_000 * 0.2 * 0.8) ** 0.5).all())


def test_does_not_ask_for_vectors() -> None:
    def never() -> torch.Tensor:
        raise AssertionError

    draw = torch.Generator().manual_seed(0)
    Random().batches(ids=torch.arange(5)[None], size=2, generator=draw, vectors=never)
