from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.encoder.tiny import tiny_encoder
from tests.training.runs import DATA, TEXTS, quick, same_weights, weights
from twinset.data import Pairs
from twinset.encoder import Encoder
from twinset.negatives import Queue
from twinset.objectives import InfoNCE
from twinset.training import AdamW, Lagged, Recipe
from twinset.training.corpus import tokenised
from twinset.training.learner import Learner
from twinset.types import Embedded, Loss, Needs, Reference
from twinset.views import AsGiven, Pair, Unchanged


@dataclass(frozen=True, kw_only=True)
class Headed:
    """InfoNCE times a number that is learned, with a look at older weights."""

    weights_learning_rate: float | None = 0.5
    references: frozenset[Reference] = frozenset()

    @property
    def needs(self) -> Needs:
        return Needs(views=2, references=self.references)

    def initial_weights(self, dimension: int, generator: torch.Generator) -> Mapping[str, Tensor]:
        return {"scale": torch.rand(dimension, generator=generator)}

    def __call__(self, batch: Embedded) -> Loss:
        loss = InfoNCE()(batch)
        parts = {f"{kind}": value.mean() for kind, value in batch.references.items()}
        return Loss(value=loss.value * batch.weights["scale"].mean(), parts=parts)


def learner(recipe: Recipe, *, encoder: Encoder | None = None, seed: int = 0) -> Learner:
    pupil = encoder or tiny_encoder("bert")
    return Learner(pupil, tokenised(pupil, DATA, recipe.max_length), recipe, seed, "fp32")


def test_every_epoch_has_another_order_and_the_same_one_again() -> None:
    mine, again = learner(quick()), learner(quick())
    orders = [torch.cat(mine.epoch_batches(epoch)).tolist() for epoch in (0, 1)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(len(DATA)))
    assert [torch.cat(again.epoch_batches(epoch)).tolist() for epoch in (0, 1)] == orders
    assert torch.cat(learner(quick(), seed=1).epoch_batches(0)).tolist() != orders[0]


def test_vectors_for_a_batching_are_the_encoder_s_without_dropout() -> None:
    mine = learner(quick(dropout=0.5))
    found = mine._vectors().numpy()
    assert np.allclose(found, mine.encoder.encode(TEXTS), atol=1e-6)
    assert mine.backbone.training


def test_an_update_moves_weights_position_and_queue() -> None:
    mine = learner(quick(memory=Queue()))
    before = weights(mine.encoder)
    loss, norm = mine.learn(torch.arange(8), 1.0)
    assert not same_weights(before, weights(mine.encoder))
    assert float(norm) > 0
    assert torch.isfinite(loss.value)
    state = mine.state
    assert (state.update, state.position) == (1, 1)
    assert state.earlier is not None
    assert state.earlier.ids.tolist() == list(range(8))
    mine.learn(torch.arange(8, 16), 1.0)
    assert state.earlier.ids.tolist() == [*range(8, 16), *range(8)]


def test_the_queue_is_seen_by_the_next_update() -> None:
    with_queue, without = learner(quick(memory=Queue())), learner(quick())
    first = [each.learn(torch.arange(8), 0.0)[0].value for each in (with_queue, without)]
    second = [each.learn(torch.arange(8, 16), 0.0)[0].value for each in (with_queue, without)]
    assert first[0] == first[1]
    assert second[0] > second[1]


def test_clipping_bounds_the_update_and_tells_the_norm_before_it() -> None:
    moved = {}
    for clip in (None, 1e-3):
        # Large eps: AdamW's update grows with the gradient's size.
        mine = learner(quick(clip=clip, optimizer=AdamW(eps=10.0, weight_decay=0.0)))
        before = weights(mine.encoder)
        _, norm = mine.learn(torch.arange(8), 1.0)
        assert float(norm) > 1
        after = weights(mine.encoder)
        moved[clip] = sum(float((after[name] - before[name]).abs().sum()) for name in before)
    assert moved[1e-3] < 0.01 * moved[None]


def test_a_loss_that_is_no_number_changes_nothing() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Broken:
        needs = Needs(views=2)

        def __call__(self, batch: Embedded) -> Loss:
            return Loss(value=batch.views[0].sum() * float("inf"), parts={})

    mine = learner(Recipe(objective=Broken(), memory=Queue()))  # type: ignore[arg-type]
    before = weights(mine.encoder)
    loss, _ = mine.learn(torch.arange(8), 1.0)
    assert not torch.isfinite(loss.value)
    assert same_weights(before, weights(mine.encoder))
    assert mine.state.update == mine.state.position == 0
    assert mine.state.earlier is None


def test_the_objective_s_weights_are_drawn_from_the_seed_and_learned_at_their_rate() -> None:
    recipe = quick(objective=Headed(), clip=None)
    mine = learner(recipe)
    start = mine.state.weights["scale"].detach().clone()
    assert torch.equal(start, learner(recipe).state.weights["scale"])
    assert not torch.equal(start, learner(recipe, seed=1).state.weights["scale"])
    mine.learn(torch.arange(8), 1.0)
    moved = (mine.state.weights["scale"] - start).detach().abs()
    assert torch.allclose(moved, torch.full_like(moved, 0.5), rtol=1e-3)  # the first update is the rate


def test_without_a_rate_of_their_own_they_have_the_encoder_s() -> None:
    mine = learner(quick(objective=Headed(weights_learning_rate=None), clip=None))
    start = mine.state.weights["scale"].detach().clone()
    mine.learn(torch.arange(8), 1.0)
    moved = (mine.state.weights["scale"] - start).detach().abs()
    assert torch.allclose(moved, torch.full_like(moved, 1e-3), rtol=1e-2)


def test_older_weights_are_those_before_the_last_update() -> None:
    mine = learner(quick(objective=Headed(references=frozenset({Reference.LAGGED})), lagged=Lagged()))
    mine.learn(torch.arange(8), 1.0)
    before = weights(mine.encoder)
    mine.learn(torch.arange(8, 16), 1.0)
    assert mine.state.older is not None
    assert same_weights(before, dict(mine.state.older.state_dict()))
    assert not same_weights(before, weights(mine.encoder))


@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.parametrize("kind", [Reference.INITIAL, Reference.LAGGED, Reference.EMBEDDING_LAYER])
def test_every_reference_sees_the_views_under_the_recipe_s_dropout(kind: Reference, dropout: float) -> None:
    encoder = tiny_encoder("bert")
    encoder.backbone.eval()  # as a loaded encoder is
    views = Pair(Unchanged(), Unchanged())
    recipe = quick(views=views, objective=Headed(references=frozenset({kind})), dropout=dropout)
    mine = learner(recipe, encoder=encoder)
    scene = mine.scene(torch.arange(8))
    torch.manual_seed(0)
    apart = 1 - mine.references[kind](scene.looks, scene.batch)[0, 1]
    assert (float(apart.min()) > 1e-3) is (dropout > 0)


def test_training_pooling_is_taken_and_the_encoder_s_own_remembered() -> None:
    mine = learner(quick(training_pooling="cls"))
    assert mine.backbone.pooling == "cls"
    assert mine.own_pooling == "mean"


def test_at_rest_the_encoder_is_as_anyone_else_expects_it() -> None:
    mine = learner(quick(dropout=0.5))
    assert mine.backbone.training
    assert set(mine.own_dropout.values()) == {0.1}
    mine.rest()
    assert not mine.backbone.training
    mine.backbone.train()
    again = learner(quick(), encoder=mine.encoder)
    assert set(again.own_dropout.values()) == {0.1}


def test_pairs_as_given_learn() -> None:
    encoder = tiny_encoder("bert")
    recipe = quick(views=AsGiven())
    pairs = Pairs(TEXTS[:8], TEXTS[8:16])
    mine = Learner(encoder, tokenised(encoder, pairs, None), recipe, 0, "fp32")
    loss, _ = mine.learn(torch.arange(8), 1.0)
    assert torch.isfinite(loss.value)
    assert len(mine.scene(torch.arange(4)).looks) == 2
