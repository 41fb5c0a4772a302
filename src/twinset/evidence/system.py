"""One side of a comparison: a recipe with its runs, or an encoder that is what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from twinset.errors import RequestError
from twinset.evaluation.items import Items

RunItems = Mapping[str, Items]
"""A run's items by task."""


@dataclass(frozen=True, kw_only=True)
class System:
    """runs: the items of each run. seeded: the runs are draws of a recipe, each with a seed of its own;
    otherwise there is one, and nothing would change if it were made again (a raw or a published encoder,
    TF-IDF). warnings: what a reader must know of how it was chosen."""

    name: str
    runs: tuple[RunItems, ...]
    seeded: bool = False
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.runs:
            raise RequestError(f"{self.name}: there is no run to compare")
        if not self.seeded and len(self.runs) > 1:
            raise RequestError(f"{self.name}: {len(self.runs)} runs of something that has no seeds")

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(self.runs[0])
