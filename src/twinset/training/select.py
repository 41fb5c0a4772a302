"""Which checkpoint is kept, and when to stop early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from twinset.errors import RecipeError
from twinset.settings import check_settings


@dataclass(frozen=True, kw_only=True)
class Select:
    """What is watched is any callable from encoder to named scores, given to `train(dev=...)`.

    every: updates between two looks (None: at the end of each epoch). metric: the score that decides
    (None: the first one). keep: the best checkpoint by that score, or the last. patience: stop after so
    many looks without a gain (None: never). pooling: watch with the pooling of training or of evaluation.
    """

    every: int | None = None
    metric: str | None = None
    keep: Literal["best", "last"] = "best"
    patience: int | None = None
    pooling: Literal["training", "evaluation"] = "evaluation"

    def __post_init__(self) -> None:
        check_settings(self)
        for name in ("every", "patience"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise RecipeError(f"select.{name}: {value} is below 1")
