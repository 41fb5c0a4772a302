"""Token shuffling (seed fact 22): the tokens of a text in random order.

ConSERT, Yan et al. 2021: "Randomly shuffle the order of the tokens in the input sequences". As in the
authors' code every real token moves, [CLS] and [SEP] included: token ids stay and position ids are
permuted. Here the tokens are permuted and their states put back, which is the same for absolute positions
and acts on relative and rotary ones, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from twinset.types import Look


@dataclass(frozen=True, kw_only=True)
class TokenShuffle:
    """A uniformly random permutation of each text's real tokens; padding stays where it is."""

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look:
        mask = look.tokens.mask
        draws = torch.rand(mask.shape, generator=generator)
        places = torch.arange(mask.shape[1], dtype=draws.dtype)
        order = torch.where(mask, draws, 1 + places).argsort(dim=1)
        if look.order is not None:
            order = look.order.gather(1, order)
        return replace(look, order=order)
