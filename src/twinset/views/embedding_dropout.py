"""Dropout as augmentation (seed fact 25): single elements of the embedding layer's output set to zero.

ConSERT: "Randomly drop elements in the token embedding layer by a specific probability (0.2) and set their
values to zero". No rescaling by 1 / (1 - p). The paper's rule is each element by itself ("each"); the
authors' code drops an exact number, int(p * length * width) of a text's elements ("exact").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch

from twinset.settings import check_settings
from twinset.types import Look
from twinset.views.draw import checked_rate, keep_all_but


@dataclass(frozen=True, kw_only=True)
class EmbeddingDropout:
    """`rate`: an element's chance to be dropped ("each"), or the share that is ("exact")."""

    rate: float = 0.2
    count: Literal["each", "exact"] = "each"

    def __post_init__(self) -> None:
        check_settings(self)
        checked_rate(self.rate, "embedding_dropout")

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look:
        mask = look.tokens.mask
        shape = (*mask.shape, width)
        if self.count == "each":
            keep = torch.rand(shape, generator=generator) >= self.rate
        else:
            elements = mask[:, :, None].expand(shape).flatten(1)
            cut = (look.tokens.lengths.double() * width * self.rate).long()
            keep = keep_all_but(cut, elements, generator).view(shape)
        if look.keep_elements is not None:
            keep = keep & look.keep_elements
        return replace(look, keep_elements=keep)
