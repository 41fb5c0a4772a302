"""What every view of the unions keeps to. A new one is checked here without a line added."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import sys
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

from tests.views.looks import WIDTH, batch, generator, look
from twinset.types import Look, View, Views
from twinset.views import (
    AnyView,
    AnyViews,
    Compose,
    EmbeddingDropout,
    FeatureCutoff,
    Pair,
    TokenCutoff,
    TokenShuffle,
)

LENGTHS = [2, 9, 30, 17]
DRAWS = ("order", "keep_tokens", "keep_features", "keep_elements")

_PARTS = (TokenShuffle(), TokenCutoff(), FeatureCutoff(), EmbeddingDropout())
_CHOSEN: dict[type, tuple[Any, ...]] = {
    Compose: (Compose(views=_PARTS),),
    EmbeddingDropout: (EmbeddingDropout(), EmbeddingDropout(count="exact")),
    Pair: (Pair(TokenShuffle(), Compose(views=_PARTS)),),
}


def chosen(union: object) -> list[Any]:
    return [view for member in get_args(union) for view in _CHOSEN.get(member) or (member(),)]


each_view = pytest.mark.parametrize("view", chosen(AnyView), ids=repr)
each_views = pytest.mark.parametrize("views", chosen(AnyViews), ids=repr)


def same(first: Look, second: Look) -> bool:
    return all(_equal(getattr(first, name), getattr(second, name)) for name in DRAWS)


@pytest.mark.parametrize("member", [*get_args(AnyView), *get_args(AnyViews)])
def test_settings_are_frozen_and_by_keyword(member: type) -> None:
    parameters = getattr(member, "__dataclass_params__", None)
    assert parameters is not None
    assert parameters.frozen
    assert member is Pair or all(item.kw_only for item in dataclasses.fields(member))


@pytest.mark.parametrize("member", [*get_args(AnyView), *get_args(AnyViews)])
def test_says_what_it_does_and_its_examples_run(member: type) -> None:
    module = sys.modules[member.__module__]
    assert inspect.getdoc(member)
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


@each_view
def test_same_generator_same_look_and_another_seed_another(view: View) -> None:
    assert isinstance(view, View)
    given = look(LENGTHS)
    first, again, other = (view(given, width=WIDTH, generator=generator(seed)) for seed in (0, 0, 1))
    assert same(first, again)
    acts = not same(first, given)
    assert acts == (not same(first, other))


@each_view
def test_takes_its_draws_from_the_generator_alone(view: View) -> None:
    given = look(LENGTHS)
    torch.manual_seed(0)
    state = torch.get_rng_state()
    first = view(given, width=WIDTH, generator=generator())
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(1)
    assert same(first, view(given, width=WIDTH, generator=generator()))


@each_view
def test_tokens_stay_and_the_given_look_too(view: View) -> None:
    given = Look(tokens=look(LENGTHS).tokens, column=3)
    before = given.tokens.input_ids.clone()
    made = view(given, width=WIDTH, generator=generator())
    assert made.column == 3
    assert torch.equal(made.tokens.input_ids, before)
    assert torch.equal(made.tokens.lengths, given.tokens.lengths)
    assert all(getattr(given, name) is None for name in DRAWS)


@each_view
def test_shapes_are_the_look_s(view: View) -> None:
    made = view(look(LENGTHS), width=WIDTH, generator=generator())
    rows, longest = len(LENGTHS), max(LENGTHS)
    shapes = {
        "order": (rows, longest),
        "keep_tokens": (rows, longest),
        "keep_features": (rows, WIDTH),
        "keep_elements": (rows, longest, WIDTH),
    }
    for name in DRAWS:
        value = getattr(made, name)
        assert value is None or (value.shape == shapes[name])
        assert value is None or value.dtype == (torch.int64 if name == "order" else torch.bool)


@each_view
def test_texts_of_one_token_and_batches_of_one_text_are_fine(view: View) -> None:
    assert len(view(look([1]), width=WIDTH, generator=generator())) == 1


@each_view
def test_twice_adds_up(view: View) -> None:
    once = view(look(LENGTHS), width=WIDTH, generator=generator(0))
    twice = view(once, width=WIDTH, generator=generator(1))
    second = view(look(LENGTHS), width=WIDTH, generator=generator(1))
    for name in ("keep_tokens", "keep_features", "keep_elements"):
        first, both, alone = (getattr(made, name) for made in (once, twice, second))
        assert first is None or torch.equal(both, first & alone)
    if once.order is not None:
        assert twice.order is not None
        assert second.order is not None
        assert torch.equal(twice.order, once.order.gather(1, second.order))


@each_views
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_makes_as_many_looks_as_it_counts_each_knowing_its_column(views: Views, columns: int) -> None:
    assert isinstance(views, Views)
    given = batch(*[[3, 5, 2]] * columns)
    looks = views(given, width=WIDTH, generator=generator())
    assert len(looks) == views.count(columns)
    assert {made.column for made in looks} == set(range(columns))
    for made in looks:
        assert torch.equal(made.tokens.input_ids, given.columns[made.column].input_ids)


@each_views
def test_same_generator_same_looks(views: Views) -> None:
    given = batch(LENGTHS)
    first, again = (views(given, width=WIDTH, generator=generator()) for _ in range(2))
    assert all(same(a, b) for a, b in zip(first, again, strict=True))


def _equal(first: Tensor | None, second: Tensor | None) -> bool:
    if first is None or second is None:
        return first is second
    return torch.equal(first, second)
