"""Feature cutoff (seed fact 24): whole columns of the embedding layer's output set to zero.

Shen et al. 2020; in ConSERT at p = 0.2. int(p * width) features are cut for the whole text, drawn anew for
each text; no rescaling.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from twinset.types import Look
from twinset.views.draw import checked_rate, keep_all_but


@dataclass(frozen=True, kw_only=True)
class FeatureCutoff:
    """`rate`: the share of the embedding layer's features that is cut, rounded down."""

    rate: float = 0.2

    def __post_init__(self) -> None:
        checked_rate(self.rate, "feature_cutoff")

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look:
        cut = torch.full((len(look),), int(width * self.rate))
        keep = keep_all_but(cut, torch.ones(len(look), width, dtype=torch.bool), generator)
        if look.keep_features is not None:
            keep = keep & look.keep_features
        return replace(look, keep_features=keep)
