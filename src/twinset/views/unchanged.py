"""The look that changes nothing: only the encoder's own dropout tells two of them apart."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from twinset.types import Look


@dataclass(frozen=True, kw_only=True)
class Unchanged:
    """The text as it is ("none" in ConSERT's grid of augmentations)."""

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look:
        return look
