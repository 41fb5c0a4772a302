"""What learns: a copy of the encoder set up for a recipe, and one update of it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor, nn

from twinset.encoder.backbone import Backbone
from twinset.encoder.look import move
from twinset.encoder.pooling import Pooling
from twinset.encoder.precision import computing
from twinset.randomness import generator_of, seed_of
from twinset.training.compiled import Compiled
from twinset.training.corpus import Corpus
from twinset.training.dropout import dropout_rates, restore_dropout, set_dropout
from twinset.training.quick import quicken, slow_down
from twinset.training.recipe import Recipe
from twinset.training.references import ByEmbedder
from twinset.training.state import TrainState
from twinset.training.steps import Scene
from twinset.types import Learned, Look, Loss, Reference, ReferenceSource

if TYPE_CHECKING:
    from twinset.encoder import Encoder


class Learner:
    """Makes a batch's scene, takes the step, updates the weights. All that changes is in `state`."""

    def __init__(
        self,
        encoder: Encoder,
        corpus: Corpus,
        recipe: Recipe,
        seed: int,
        precision: Literal["fp32", "bf16"],
    ) -> None:
        self.encoder, self.corpus, self.recipe, self.seed = encoder, corpus, recipe, seed
        self.backbone: Backbone = encoder.backbone
        self.own_pooling: Pooling = encoder.pooling
        self.device = encoder.device
        self.precision: Literal["fp32", "bf16"] = precision
        if recipe.training_pooling is not None:
            self.backbone.pooling = recipe.training_pooling
        weights = self._initial_weights()
        rate = getattr(recipe.objective, "weights_learning_rate", None)
        rate = recipe.learning_rate if rate is None else rate
        self.state = TrainState(
            backbone=self.backbone,
            weights=weights,
            optimizer=recipe.optimizer.build(self.backbone, weights, (recipe.learning_rate, rate)),
        )
        self.own_dropout = dropout_rates(self.backbone)
        recipe.check_dropout(self.own_dropout.values())
        self.compiled = Compiled(self.backbone.model, self.device) if recipe.compile else None
        self.references = self._references()
        self.wake()

    def wake(self) -> None:
        """Ready to learn, whatever mode the encoder was left in."""
        set_dropout(self.backbone, self.recipe.dropout)
        quicken(self.backbone)

    def rest(self) -> None:
        """Learning is over: the encoder as anyone else expects it."""
        slow_down(self.backbone)
        restore_dropout(self.backbone, self.own_dropout)
        self.backbone.eval()

    def _initial_weights(self) -> dict[str, nn.Parameter]:
        objective = self.recipe.objective
        if not isinstance(objective, Learned):
            return {}
        generator = generator_of(self.seed, "objective")
        made = objective.initial_weights(self.encoder.dimension, generator)
        return {name: nn.Parameter(value.to(self.device)) for name, value in made.items()}

    def _references(self) -> dict[Reference, ReferenceSource]:
        sources: dict[Reference, ReferenceSource] = {}
        for kind in sorted(self.recipe.references):
            if kind == Reference.EMBEDDING_LAYER:
                sources[kind] = ByEmbedder(embed=self._computing(self.backbone.embedding_layer))
                continue
            # The same views under other weights: the encoder's dropout is part of what makes a view.
            other = copy.deepcopy(self.backbone).requires_grad_(requires_grad=False)
            set_dropout(other, self.recipe.dropout)
            quicken(other)
            sources[kind] = ByEmbedder(embed=self._computing(other))
            if kind == Reference.LAGGED:
                self.state.older = other
        return sources

    def _computing(self, embed: Callable[[Look], Tensor]) -> Callable[[Look], Tensor]:
        # References are looked at seldom, or once: they are left as they are.
        compiled = self.compiled if embed is self.backbone else None

        def computed(look: Look) -> Tensor:
            with (
                computing(self.precision, self.device),
                nullcontext() if compiled is None else compiled.acting(),
            ):
                return embed(move(look, self.device))

        return computed

    def epoch_batches(self, epoch: int) -> list[Tensor]:
        """Who meets whom in this epoch."""
        return self.recipe.batching.batches(
            ids=self.corpus.ids,
            size=self.recipe.batch_size,
            generator=generator_of(self.seed, "batches", epoch),
            vectors=self._vectors,
        )

    def _vectors(self) -> Tensor:
        from twinset.encoder.encode import Pass

        encoder = self.encoder
        run = Pass(backbone=self.backbone, tokenizer=encoder.tokenizer, max_length=encoder.max_length)
        return torch.from_numpy(run.vectors(self.corpus.columns[0]))

    def scene(self, rows: Tensor) -> Scene:
        """One batch with its looks drawn, ready for the step."""
        batch = self.corpus.take(rows)
        update = self.state.update
        looks = self.recipe.views(
            batch, width=self.backbone.width, generator=generator_of(self.seed, "views", update)
        )
        embed = self._computing(self.backbone)
        return Scene(
            batch=batch,
            looks=looks,
            embedders=(embed,) * len(looks),
            objective=self.recipe.objective,
            width=self.backbone.width,
            weights=self.state.weights,
            earlier=self.state.earlier,
            references=self.references,
            seed=seed_of(self.seed, "update", update),
            chunk_tokens=self.recipe.chunk_tokens,
            packed=self.backbone.packs,
        )

    def learn(self, rows: Tensor, factor: float) -> tuple[Loss, Tensor]:
        """One update; the loss and the gradient's norm before clipping, both where they can be read."""
        recipe, state = self.recipe, self.state
        state.optimizer.zero_grad(set_to_none=True)
        outcome = recipe.step(self.scene(rows))
        parameters = [p for group in state.optimizer.param_groups for p in group["params"]]
        limit = float("inf") if recipe.clip is None else recipe.clip
        norm = nn.utils.clip_grad_norm_(parameters, limit)
        # All that is asked of an update in one transfer, which a GPU is waited for, before anything changes.
        found = torch.stack([outcome.loss.value.float(), norm.float()]).cpu()
        loss = replace(outcome.loss, value=found[0])
        if not bool(torch.isfinite(found).all()):
            return loss, found[1]
        if state.older is not None:
            recipe.lagged.follow(state.older, self.backbone)
        recipe.optimizer.set_rates(state.optimizer, factor, state.update + 1)
        state.optimizer.step()
        if recipe.memory is not None:
            state.earlier = recipe.memory.push(state.earlier, outcome.embedded)
        state.update += 1
        state.position += 1
        return loss, found[1]
