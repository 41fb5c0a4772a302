"""NT-Xent: find the partner among all other 2N - 1 views of the batch (seed fact 20).

    L_ij = -log exp(s_ij / tau) / sum_{k != i} exp(s_ik / tau),   the mean over the 2N views

Chen et al. 2020 (SimCLR); ConSERT, Yan et al. 2021 (tau = 0.1). `reduction="sum_of_directions"` is what the
authors' code computes: the two directions' means summed, twice the paper's value.

>>> import torch
>>> from twinset.types import Embedded
>>> batch = Embedded(views=(torch.eye(2), torch.eye(2)), ids=torch.arange(2).expand(2, 2))
>>> round(float(NTXent(temperature=1.0)(batch).value), 4)  # log(e + 2) - 1
0.5514
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch.nn.functional import cross_entropy

from twinset.errors import RecipeError
from twinset.objectives.similarity import FORBIDDEN, cosine, same_text
from twinset.settings import check_settings
from twinset.types import Embedded, Loss, Needs


@dataclass(frozen=True, kw_only=True)
class NTXent:
    """`mask_duplicates` leaves out views of an equal text in another row (the papers' formula keeps them)."""

    temperature: float = 0.1
    reduction: Literal["mean", "sum_of_directions"] = "mean"
    mask_duplicates: bool = True

    def __post_init__(self) -> None:
        check_settings(self)
        if not self.temperature > 0:
            raise RecipeError(f"temperature: {self.temperature} is not above 0")

    @property
    def needs(self) -> Needs:
        return Needs(views=2, most_views=2)

    def __call__(self, batch: Embedded) -> Loss:
        count = len(batch)
        views = torch.cat(batch.views[:2])
        logits = cosine(views, views) / self.temperature
        places = torch.arange(2 * count, device=logits.device)
        partners = (places + count) % (2 * count)
        forbidden = torch.eye(2 * count, dtype=torch.bool, device=logits.device)
        if self.mask_duplicates:
            forbidden = forbidden | self._duplicates(batch).to(logits.device)
            forbidden[places, partners] = False
        loss = cross_entropy(logits.masked_fill(forbidden, FORBIDDEN), partners)
        value = loss if self.reduction == "mean" else 2 * loss
        return Loss(value=value, parts={"nt_xent": value.detach()})

    def _duplicates(self, batch: Embedded) -> torch.Tensor:
        """(2n, 2n) bool: the candidate is the anchor's text, or its partner's."""
        ids = torch.cat([batch.ids[0], batch.ids[1]])
        partner_ids = torch.cat([batch.ids[1], batch.ids[0]])
        return same_text(ids, ids) | same_text(partner_ids, ids)
