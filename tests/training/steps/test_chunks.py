from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from tests.encoder.tiny import ARCHITECTURES
from tests.training.steps.scenes import backbone, scene
from twinset.objectives import InfoNCE
from twinset.training.steps import Scene
from twinset.training.steps.chunks import Chunk, chunks_of, embed_views
from twinset.types import Look


def first_tokens(look: Look) -> Tensor:
    """An encoder whose vectors say which text they are of."""
    return torch.stack([look.tokens.input_ids[:, 0], look.tokens.lengths], dim=1).double()


def sketch(budget: int | None, embed=first_tokens) -> Scene:  # noqa: ANN001
    given = scene(backbone("bert", dropout=0), InfoNCE(), chunk_tokens=budget)
    return replace(given, embedders=(embed,) * 3)


@pytest.mark.parametrize("budget", [None, 1, 20, 33, 90, 10_000])
def test_every_row_of_every_view_comes_back_to_its_place(budget: int | None) -> None:
    given = sketch(budget)
    views = embed_views(given, Chunk.embed)
    for view, look in zip(views, given.looks, strict=True):
        torch.testing.assert_close(view, first_tokens(look).float())
    places = torch.cat([chunk.places for chunk in chunks_of(given)])
    assert sorted(places.tolist()) == list(range(18))


@pytest.mark.parametrize("budget", [20, 33, 90])
def test_chunks_stay_within_the_budget_unless_one_text_is_longer(budget: int) -> None:
    chunks = list(chunks_of(sketch(budget)))
    assert len(chunks) > 1
    for chunk in chunks:
        rows, longest = chunk.look.tokens.input_ids.shape
        assert rows * longest <= budget or rows == 1
        assert longest == int(chunk.look.tokens.lengths.max())


def test_without_a_budget_each_encoder_takes_everything_at_once() -> None:
    assert len(list(chunks_of(sketch(None)))) == 1
    other = lambda look: first_tokens(look) + 1  # noqa: E731
    given = replace(sketch(None), embedders=(first_tokens, other, first_tokens))
    assert [len(chunk.places) for chunk in chunks_of(given)] == [12, 6]
    views = embed_views(given, Chunk.embed)
    torch.testing.assert_close(views[1], first_tokens(given.looks[1]).float() + 1)


def test_a_chunk_gets_the_same_masks_each_time_and_no_two_chunks_the_same() -> None:
    chunks = list(chunks_of(sketch(33, embed=lambda look: torch.rand(len(look), 2))))
    first = [chunk.embed() for chunk in chunks]
    again = [chunk.embed() for chunk in reversed(chunks)][::-1]
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert len({float(vectors[0, 0]) for vectors in first}) == len(chunks)


def test_masks_are_a_function_of_the_scene_s_seed() -> None:
    given = sketch(33, embed=lambda look: torch.rand(len(look), 2))
    one, same, other = (embed_views(replace(given, seed=seed), Chunk.embed)[0] for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_vectors_do_not_depend_on_the_company(architecture: str) -> None:
    """Every operator acting, stacked and cut, equals each text alone."""
    encoder = backbone(architecture, dropout=0)
    given = scene(encoder, InfoNCE())
    with torch.no_grad():
        expected = [encoder(look) for look in given.looks]
        for budget in (None, 33, 1):
            found = embed_views(replace(given, chunk_tokens=budget), Chunk.embed)
            for view, wanted in zip(found, expected, strict=True):
                torch.testing.assert_close(view, wanted, rtol=1e-4, atol=1e-5)
