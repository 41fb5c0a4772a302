"""InfoNCE: find the partner among the batch's candidates.

    L = -1/n sum_i log  exp(s_ii / tau) / ( sum_j exp(s_ij / tau) + sum_h exp(s_ih / tau) + phi_i )

s = cosine similarity of view 0 (anchors) with view 1 (candidates); h runs over the rows of further views
(a third column: hard negatives); phi_i are the queue's weighted candidates (seed fact 4):
phi_i = sum_m exp(log p_m + s(h_i, H_m) / tau). Two ways: the mean of L and of L with anchors and candidates
changed over (hard negatives and queue serve the first direction alone).

van den Oord et al. 2018; as the unsupervised loss of SimCSE, Gao et al. 2021 (tau = 0.05, one way).

>>> import torch
>>> from twinset.types import Embedded
>>> batch = Embedded(views=(torch.eye(3), torch.eye(3)), ids=torch.arange(3).expand(2, 3))
>>> round(float(InfoNCE(temperature=1.0)(batch).value), 4)  # log(e + 2) - 1
0.5514
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from twinset.errors import RecipeError
from twinset.objectives.similarity import FORBIDDEN, cosine, same_text
from twinset.settings import check_settings
from twinset.types import Embedded, Loss, Needs


@dataclass(frozen=True, kw_only=True)
class InfoNCE:
    """`mask_duplicates` leaves out candidates that are the anchor's own text, or its positive's, in another
    row: they are not negatives. The papers' formula keeps them (False)."""

    temperature: float = 0.05
    directions: Literal["one", "both"] = "one"
    mask_duplicates: bool = True

    def __post_init__(self) -> None:
        check_settings(self)
        if not self.temperature > 0:
            raise RecipeError(f"temperature: {self.temperature} is not above 0")

    @property
    def needs(self) -> Needs:
        return Needs(views=2, earlier=True)

    def __call__(self, batch: Embedded) -> Loss:
        forward = cross_entropy(self._logits(batch), _diagonal(batch))
        if self.directions == "one":
            return Loss(value=forward, parts={"infonce": forward.detach()})
        backward = cross_entropy(self._between(batch, 1, 0), _diagonal(batch))
        value = (forward + backward) / 2
        return Loss(value=value, parts={"infonce": value.detach()})

    def _logits(self, batch: Embedded) -> Tensor:
        """(n, candidates): view 1, further views, the queue."""
        blocks = [self._between(batch, 0, view) for view in range(1, len(batch.views))]
        if batch.earlier is not None:
            old = cosine(batch.views[0], batch.earlier.vectors) / self.temperature
            old = old + batch.earlier.log_weights
            blocks.append(self._without_duplicates(old, batch, batch.earlier.ids))
        return torch.cat(blocks, dim=1)

    def _between(self, batch: Embedded, anchors: int, candidates: int) -> Tensor:
        logits = cosine(batch.views[anchors], batch.views[candidates]) / self.temperature
        masked = self._without_duplicates(logits, batch, batch.ids[candidates])
        if {anchors, candidates} != {0, 1}:
            return masked
        positives = torch.eye(len(batch), dtype=torch.bool, device=logits.device)
        return torch.where(positives, logits, masked)

    def _without_duplicates(self, logits: Tensor, batch: Embedded, ids: Tensor) -> Tensor:
        if not self.mask_duplicates:
            return logits
        own = same_text(batch.ids[0], ids) | same_text(batch.ids[1], ids)
        return logits.masked_fill(own.to(logits.device), FORBIDDEN)


def _diagonal(batch: Embedded) -> Tensor:
    return torch.arange(len(batch), device=batch.views[0].device)
