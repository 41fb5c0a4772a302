"""Token cutoff (seed fact 23): whole rows of the embedding layer's output set to zero.

Shen et al. 2020; in ConSERT at p = 0.15 (the released supervised scripts: 0.1). int(p * length) of a text's
real tokens are cut, [CLS] and [SEP] not spared; no rescaling, and the attention mask stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from twinset.types import Look
from twinset.views.draw import checked_rate, keep_all_but


@dataclass(frozen=True, kw_only=True)
class TokenCutoff:
    """`rate`: the share of each text's tokens that is cut, rounded down."""

    rate: float = 0.15

    def __post_init__(self) -> None:
        checked_rate(self.rate, "token_cutoff")

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look:
        cut = (look.tokens.lengths.double() * self.rate).long()
        keep = keep_all_but(cut, look.tokens.mask, generator)
        if look.keep_tokens is not None:
            keep = keep & look.keep_tokens
        return replace(look, keep_tokens=keep)
