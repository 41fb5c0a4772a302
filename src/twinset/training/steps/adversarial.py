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
from twinset.training.steps.cached import Cached, laid_end_to_end, leaves
from twinset.training.steps.chunks import Chunk, chunks_of
from twinset.training.steps.plain import Plain
from twinset.training.steps.scene import Outcome, Scene
from twinset.types import Objective


@dataclass(frozen=True, kw_only=True)
class Adversarial:
    """Takes the gradient of `attack` at the embedding layer of view `of`, adds the perturbed view at the
    end, then does `inner` on all of them. Costs one more pass forward and back."""

    attack: Objective
    of: int = 0
    size: float = 1.0
    scale: Literal["raw", "token"] = "raw"
    inner: Plain | Cached = Plain()

    def __post_init__(self) -> None:
        if self.of < 0:
            raise RecipeError(f"step.of: {self.of} is below 0; views count from 0")

    def __call__(self, scene: Scene) -> Outcome:
        gradient = gradient_at_embeddings(replace(scene, objective=self.attack), self.of)
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
        places = (chunk.places - view * rows).to(upstream.device)
        mine = (places >= 0) & (places < rows)
        if bool(mine.any()):
            at_tokens = _through(chunk, upstream[chunk.places.to(upstream.device)], scene.width)
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
