from __future__ import annotations

import torch

from twinset.encoder.look import move, stack, take_rows
from twinset.types import Look, Tokens

WIDTH = 4


def look(lengths: list[int], *, seed: int, masks: tuple[str, ...]) -> Look:
    generator = torch.Generator().manual_seed(seed)
    rows, longest = len(lengths), max(lengths)
    drawn = {
        "order": torch.stack([torch.arange(longest).flip(0)] * rows),
        "keep_tokens": torch.rand(rows, longest, generator=generator) > 0.5,
        "keep_features": torch.rand(rows, WIDTH, generator=generator) > 0.5,
        "keep_elements": torch.rand(rows, longest, WIDTH, generator=generator) > 0.5,
        "add": torch.randn(rows, longest, WIDTH, generator=generator),
    }
    tokens = Tokens(
        input_ids=torch.randint(9, (rows, longest), generator=generator), lengths=torch.tensor(lengths)
    )
    return Look(tokens=tokens, **{name: drawn[name] for name in masks})


ALL = ("order", "keep_tokens", "keep_features", "keep_elements", "add")


def test_rows_are_cut_to_their_longest() -> None:
    whole = look([3, 5, 2], seed=0, masks=ALL)
    part = take_rows(whole, torch.tensor([2, 0]))
    assert part.tokens.input_ids.tolist() == whole.tokens.input_ids[[2, 0], :3].tolist()
    assert part.tokens.lengths.tolist() == [2, 3]
    for name in ("order", "keep_tokens", "keep_elements", "add"):
        assert getattr(part, name).tolist() == getattr(whole, name)[[2, 0], :3].tolist()
    assert part.keep_features.tolist() == whole.keep_features[[2, 0]].tolist()


def test_stack_then_take_gives_each_look_back() -> None:
    first, second = look([3, 5], seed=1, masks=ALL), look([2, 2, 4], seed=2, masks=ALL)
    tall = stack([first, second])
    back = take_rows(tall, torch.tensor([2, 3, 4]))
    for name in ALL:
        assert torch.equal(getattr(back, name), getattr(second, name)), name
    assert torch.equal(back.tokens.input_ids, second.tokens.input_ids)


def test_look_without_a_mask_gets_the_one_that_does_nothing() -> None:
    bare, masked = look([3, 5], seed=1, masks=()), look([6], seed=2, masks=ALL)
    tall = stack([bare, masked])
    assert tall.order[:2].tolist() == [list(range(6))] * 2
    assert tall.keep_tokens[:2].all()
    assert tall.keep_features[:2].all()
    assert tall.keep_elements[:2].all()
    assert not tall.add[:2].any()
    assert torch.equal(tall.keep_features[2:], masked.keep_features)


def test_order_of_a_shorter_look_stays_a_permutation() -> None:
    tall = stack([look([3], seed=1, masks=("order",)), look([5], seed=2, masks=("order",))])
    assert tall.order.tolist() == [[2, 1, 0, 3, 4], [4, 3, 2, 1, 0]]


def test_stack_of_none_with_masks_has_none() -> None:
    tall = stack([look([3], seed=1, masks=()), look([5], seed=2, masks=())])
    assert all(getattr(tall, name) is None for name in ALL)
    assert tall.tokens.lengths.tolist() == [3, 5]


def test_move_takes_everything_along() -> None:
    there = move(look([3, 5], seed=1, masks=ALL), torch.device("meta"))
    assert {getattr(there, name).device.type for name in ALL} == {"meta"}
    assert there.tokens.input_ids.device.type == "meta"
