"""The cached step: the same gradient as the plain step in the memory of one chunk.

Gao et al. 2021, "Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup". Embed all
chunks without a graph; take the loss's gradient at the vectors; embed chunk by chunk again, with the same
dropout masks, and send that gradient through:  dL/dw = sum_c (dL/dv_c)(dv_c/dw).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from twinset.training.steps.chunks import Chunk, chunks_of, embed_views
from twinset.training.steps.scene import Outcome, Scene
from twinset.types import Embedded, Loss, moved


@dataclass(frozen=True, kw_only=True)
class Cached:
    """Batches of any size: every text goes through the encoder twice, activations are one chunk's."""

    def __call__(self, scene: Scene) -> Outcome:
        chunks = list(chunks_of(scene))
        embedded = leaves(scene, chunks)
        loss = scene.objective(embedded)
        loss.value.backward()
        gradient = laid_end_to_end(embedded.views, [view.grad for view in embedded.views])
        for chunk in chunks:
            vectors = chunk.embed()
            if vectors.requires_grad:
                vectors.backward(gradient[moved(chunk.places, gradient.device)].to(vectors.dtype))
        return Outcome(
            loss=Loss(value=loss.value.detach(), parts=loss.parts),
            embedded=embedded.detached(),
        )


def leaves(scene: Scene, chunks: list[Chunk]) -> Embedded:
    """The batch embedded without a graph: vectors are leaves that ask for the loss's gradient."""
    with torch.no_grad():
        vectors = embed_views(scene, Chunk.embed, chunks)
    return scene.embedded(tuple(view.clone().requires_grad_() for view in vectors))


def laid_end_to_end(views: Sequence[Tensor], gradients: Sequence[Tensor | None]) -> Tensor:
    """The views' gradients (v * n, d); a view the loss did not use has none and counts as zero."""
    pairs = zip(views, gradients, strict=True)
    return torch.cat([torch.zeros_like(view) if grad is None else grad for view, grad in pairs])
