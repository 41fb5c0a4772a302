"""Two looks at each text: the positive pair of unsupervised contrastive learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from twinset.types import Batch, Look

if TYPE_CHECKING:
    from twinset.views import AnyView  # noqa: TC004 - the room imports this file


@dataclass(frozen=True)
class Pair:
    """`first` of every column, then `second` of every column: (a', a") for sentences, (a', b', a", b") for
    pairs."""

    first: AnyView
    second: AnyView

    def count(self, columns: int) -> int:
        return 2 * columns

    def __call__(self, batch: Batch, *, width: int, generator: torch.Generator) -> tuple[Look, ...]:
        looks = [Look(tokens=tokens, column=column) for column, tokens in enumerate(batch.columns)]
        return tuple(
            view(look, width=width, generator=generator)
            for view in (self.first, self.second)
            for look in looks
        )
