"""One operator after another on the same look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from twinset.types import Look

if TYPE_CHECKING:
    from twinset.views import AnyView  # noqa: TC004 - the room imports this file


@dataclass(frozen=True, kw_only=True)
class Compose:
    """`views` act in order; cuts add up."""

    views: tuple[AnyView, ...]

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look:
        for view in self.views:
            look = view(look, width=width, generator=generator)
        return look
