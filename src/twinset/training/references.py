"""The same views, looked at elsewhere: under older weights, or at the embedding layer.

A reference gives cosine similarities (v, v, n) between the views of each row, never a gradient. Which an
objective gets is its own wish (`Needs.references`); how they are made is the step's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import normalize

from twinset.types import Batch, Look


def similarities(views: Sequence[Tensor]) -> Tensor:
    """(v, v, n): entry [a, b, i] is the cosine similarity of views a and b of row i."""
    unit = normalize(torch.stack([view.float() for view in views]), dim=-1)
    return torch.einsum("and,bnd->abn", unit, unit)


@dataclass(frozen=True, kw_only=True)
class ByEmbedder:
    """Similarities of the looks as `embed` sees them: an older encoder, or `Backbone.embedding_layer`."""

    embed: Callable[[Look], Tensor]

    def __call__(self, looks: Sequence[Look], batch: Batch) -> Tensor:
        with torch.no_grad():
            return similarities([self.embed(look) for look in looks])
