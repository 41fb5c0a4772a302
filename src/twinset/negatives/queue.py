"""The hippocampus queue (seed facts 4, 8, 9): earlier batches' vectors as further candidates.

    phi_i = sum_m p_m exp(sim(h_i, H_m) / tau),   p_m = forgetting ** age_m

p_m enters as log p_m added to the candidate's logit. The seed gives neither the queue's length nor the form
of p_m: 2.5 batches of first views (after ESimCSE) and exponential forgetting are our choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from twinset.errors import RecipeError
from twinset.types import Earlier, Embedded


@dataclass(frozen=True, kw_only=True)
class Queue:
    """First in, first out; the vectors live in the training state, not here.

    batches: length in batches, fractions allowed; the largest batch at hand is the measure, so that the
    short last batch of an epoch does not empty the queue. forgetting: weight of a batch's vectors is
    forgetting ** age (1.0: no forgetting). view: which view is kept.
    """

    batches: float = 2.5
    forgetting: float = 0.7
    view: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.batches < math.inf:
            raise RecipeError(f"memory.batches: {self.batches} is not a number above 0")
        if not 0 < self.forgetting <= 1:
            raise RecipeError(f"memory.forgetting: {self.forgetting} is not in (0, 1]")

    def push(self, earlier: Earlier | None, embedded: Embedded) -> Earlier:
        """The queue after this batch: its vectors in front, all others one batch older, the oldest gone."""
        vectors = embedded.views[self.view].detach()
        full = len(vectors)
        ages = torch.ones(len(vectors), dtype=torch.int64, device=vectors.device)
        ids = embedded.ids[self.view].to(vectors.device)
        if earlier is not None:
            full = max(full, int(earlier.ages.bincount().max()))
            vectors = torch.cat([vectors, earlier.vectors])
            ages = torch.cat([ages, earlier.ages + 1])
            ids = torch.cat([ids, earlier.ids])
        size = max(1, int(self.batches * full))
        kept = ages[:size]
        return Earlier(vectors=vectors[:size], log_weights=self.log_weights(kept), ids=ids[:size], ages=kept)

    def log_weights(self, ages: Tensor) -> Tensor:
        """Age * log(forgetting), which is log p_m."""
        return ages.float() * math.log(self.forgetting)
