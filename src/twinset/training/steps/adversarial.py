"""The adversarial step (seed fact 21): one more view, perturbed along the loss's own gradient.

Fast Gradient Value, Rozsa et al. 2016:  x' = x + eta,  eta = grad_x J(x, l)  at the embedding layer. The
paper of ConSERT takes the gradient as it is (`scale="raw"`, its size times `size`); the authors' code
divides each token's gradient by its length and multiplies by a noise norm (`scale="token"`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from twinset.errors import RecipeError
from twinset.objectives.weighted_sum import WeightedSum, has_weights
from twinset.settings import check_settings
from twinset.training.steps.cached import Cached, laid_end_to_end, leaves
from twinset.training.steps.chunks import Chunk, chunks_of
from twinset.training.steps.plain import Plain
from twinset.training.steps.scene import Outcome, Scene
from twinset.types import Objective, moved


@dataclass(frozen=True, kw_only=True)
class Adversarial:
    """Takes the gradient of a loss at the embedding layer of view `of`, adds the perturbed view at the end,
    then does `inner` on all of them. Costs one more pass forward and back.

    What is attacked: `attack`, an objective without weights of its own, or `part`, the number of a part of
    the recipe's weighted sum, under the weights that it learns there (ConSERT's joint training attacks its
    classifier). Neither: the recipe's objective as it is.
    """

    attack: Objective | None = None
    part: int | None = None
    of: int = 0
    size: float = 1.0
    scale: Literal["raw", "token"] = "raw"
    inner: Plain | Cached = Plain()

    def __post_init__(self) -> None:
        check_settings(self)
        if self.of < 0:
            raise RecipeError(f"step.of: {self.of} is below 0; views count from 0")
        if self.attack is not None and self.part is not None:
            raise RecipeError("step: attack and part both say what is attacked; give one")

    @property
    def field(self) -> str:
        """The field that says what is attacked."""
        return "step.attack" if self.part is None else "step.part"

    def attacked(self, objective: Objective) -> Objective:
        """The loss whose gradient is taken, where `objective` is the recipe's."""
        if self.part is not None:
            if not isinstance(objective, WeightedSum) or not 0 <= self.part < len(objective.parts):
                raise RecipeError(f"step.part: the objective has no part {self.part} (parts count from 0)")
            return objective.alone(self.part)
        if self.attack is None or self.attack == objective:
            return objective
        if has_weights(self.attack):
            kind = type(self.attack).__name__
            raise RecipeError(
                f"step.attack: {kind} has weights that only a recipe's objective learns. "
                "Make it a part of the objective, and give its number: step.part"
            )
        return self.attack

    def __call__(self, scene: Scene) -> Outcome:
        gradient = gradient_at_embeddings(replace(scene, objective=self.attacked(scene.objective)), self.of)
        look = scene.looks[self.of]
        eta = self.size * _scaled(gradient, self.scale)
        perturbed = replace(look, add=eta if look.add is None else look.add + eta)
        return self.inner(
            replace(
                scene,
                looks=(*scene.looks, perturbed),
                embedders=(*scene.embedders, scene.embedders[self.of]),
            )
        )


def gradient_at_embeddings(scene: Scene, view: int) -> Tensor:
    """dL/dx (n, L, D) at the embedding layer of one view, chunk by chunk; no parameter's `.grad` changes."""
    chunks = list(chunks_of(scene))
    embedded = leaves(scene, chunks)
    loss = scene.objective(embedded).value
    upstream = laid_end_to_end(embedded.views, torch.autograd.grad(loss, embedded.views, allow_unused=True))
    rows, longest = scene.looks[view].tokens.input_ids.shape
    found = upstream.new_zeros(rows, longest, scene.width)
    for chunk in chunks:
        places = moved(chunk.places - view * rows, upstream.device)
        mine = (places >= 0) & (places < rows)
        if bool(mine.any()):
            at_tokens = _through(chunk, upstream[moved(chunk.places, upstream.device)], scene.width)
            length = min(at_tokens.shape[1], longest)
            found[places[mine], :length] = at_tokens[mine, :length]
    return found


def _through(chunk: Chunk, upstream: Tensor, width: int) -> Tensor:
    """The gradient at a chunk's embedding layer, read off a perturbation of nothing added there."""
    rows, longest = chunk.look.tokens.input_ids.shape
    nothing = upstream.new_zeros(rows, longest, width)
    added = nothing if chunk.look.add is None else chunk.look.add.detach().clone()
    added.requires_grad_()
    vectors = replace(chunk, look=replace(chunk.look, add=added)).embed()
    (gradient,) = torch.autograd.grad(vectors, added, upstream.to(vectors.dtype))
    return gradient.float()


def _scaled(gradient: Tensor, scale: Literal["raw", "token"]) -> Tensor:
    if scale == "raw":
        return gradient
    # Squares of a satisfied loss's gradients fall below single precision's smallest number.
    length = torch.linalg.vector_norm(gradient, dim=-1, keepdim=True, dtype=torch.float64)
    return (gradient / length.clamp(min=torch.finfo(gradient.dtype).tiny)).to(gradient.dtype)
