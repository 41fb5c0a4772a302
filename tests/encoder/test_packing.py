from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from twinset.encoder.packing import NARROWEST, WORTH_IT, Packing, pack, put_back

LENGTHS = st.lists(st.integers(1, 150), min_size=1, max_size=60)


def packed(lengths: list[int], longest: int | None = None) -> Packing:
    found = pack(lengths, longest or max(lengths))
    assert found is not None
    return found


def grid(lengths: list[int], *, extra: int = 0) -> Tensor:
    """A number for every place, from 1; padding is 0."""
    longest = max(lengths) + extra
    values = torch.arange(1, len(lengths) * longest + 1).view(len(lengths), longest)
    return values * (torch.arange(longest) < torch.tensor(lengths)[:, None])


def test_by_hand() -> None:
    """The longest opens a row, the others go where they leave the least room."""
    found = packed([4, 30, 2, 60, 28], 60)
    assert found.texts.shape == (2, NARROWEST)
    assert found.texts[0].tolist() == [3] * 60 + [0] * 4
    assert found.texts[1].tolist() == [1] * 30 + [4] * 28 + [2] * 2 + [-1] * 4
    assert found.positions[1, 28:34].tolist() == [28, 29, 0, 1, 2, 3]


@given(LENGTHS)
def test_every_token_once_and_back_in_its_place(lengths: list[int]) -> None:
    found = pack(lengths, max(lengths))
    if found is None:
        return
    values = grid(lengths)
    rows = found.lay(values)
    assert sorted(rows[rows > 0].tolist()) == sorted(values[values > 0].tolist())
    assert torch.equal(found.back(rows), values)
    assert torch.equal((rows > 0), found.texts >= 0)
    assert rows.numel() <= WORTH_IT * values.numel()


@given(LENGTHS)
def test_texts_stay_whole_and_in_order(lengths: list[int]) -> None:
    found = pack(lengths, max(lengths))
    if found is None:
        return
    for text, length in enumerate(lengths):
        places = (found.texts.flatten() == text).nonzero().flatten()
        assert places.tolist() == list(range(int(places[0]), int(places[0]) + length))
        assert found.positions.flatten()[places].tolist() == list(range(length))
        assert len({int(place) // found.texts.shape[1] for place in places}) == 1


def test_not_packed_where_little_is_saved() -> None:
    assert pack([60, 61, 60], 61) is None
    assert pack([70, 70, 70, 70], 70) is None
    assert pack([10], 10) is None


def test_padding_beyond_the_longest_text_is_given_back() -> None:
    lengths = [3, 20, 5, 9]
    found = packed(lengths, 90)
    values = grid(lengths, extra=70)
    assert torch.equal(found.back(found.lay(values)), values)


def test_blocks_let_a_text_see_itself_alone() -> None:
    found = packed([4, 30, 2, 60, 28], 60)
    seen = found.blocks()
    assert seen.shape == (2, 1, NARROWEST, NARROWEST)
    for row in range(2):
        texts = found.texts[row]
        assert torch.equal(seen[row, 0], texts[:, None] == texts[None, :])
    near = found.blocks(window=3)
    distance = (torch.arange(NARROWEST)[:, None] - torch.arange(NARROWEST)[None, :]).abs()
    assert torch.equal(near, seen & (distance <= 3))


def test_features_of_a_text_become_its_tokens() -> None:
    found = packed([4, 30, 2, 60, 28], 60)
    values = torch.randn(5, 6)
    laid = found.of_texts(values)
    assert torch.equal(laid[found.texts >= 0], values[found.texts[found.texts >= 0]])


def test_gradients_are_those_of_indexing() -> None:
    lengths = [4, 30, 2, 60, 28]
    found = packed(lengths, 60)
    values = torch.randn(5, 60, 3, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(*found.texts.shape, 3, dtype=torch.float64)
    (mine,) = torch.autograd.grad((found.lay(values) * weights).sum(), values)
    plain = values.reshape(-1, 3)[found.taken] * (found.texts >= 0)[:, :, None]
    (wanted,) = torch.autograd.grad((plain * weights).sum(), values)
    torch.testing.assert_close(mine, wanted)

    rows = torch.randn(*found.texts.shape, 3, dtype=torch.float64, requires_grad=True)
    upstream = torch.randn(5, 60, 3, dtype=torch.float64)
    (mine,) = torch.autograd.grad((found.back(rows) * upstream).sum(), rows)
    plain = rows.reshape(-1, 3)[found.given] * found.real[:, :, None]
    (wanted,) = torch.autograd.grad((plain * upstream).sum(), rows)
    torch.testing.assert_close(mine, wanted)
    assert float(mine[found.texts < 0].abs().max()) == 0


def shuffled(lengths: list[int], longest: int) -> Tensor:
    draw = torch.Generator().manual_seed(0)
    order = torch.arange(longest).repeat(len(lengths), 1)
    for text, length in enumerate(lengths):
        order[text, :length] = torch.randperm(length, generator=draw)
    return order


def test_an_order_is_packed_and_undone() -> None:
    lengths = [4, 30, 2, 60, 28]
    found, values, order = packed(lengths, 60), grid(lengths), shuffled(lengths, 60)
    rows = found.lay(values.gather(1, order))
    home = found.ordered(order)
    assert torch.equal(home.back(rows), values)
    assert torch.equal(home.lay(values), rows)


def test_put_back_undoes_an_order_and_its_gradient_does() -> None:
    order = shuffled([4, 7], 7)
    states = torch.randn(2, 7, 3, dtype=torch.float64, requires_grad=True)
    moved = states.gather(1, order[:, :, None].expand_as(states))
    torch.testing.assert_close(put_back(moved, order), states)
    assert torch.autograd.gradcheck(lambda given: put_back(given, order), states)
