"""What a study file says: a base run, what varies, seeds, and what everything is tested on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from twinset.errors import RecipeError
from twinset.recipes.setting import Setting

MOST_VARIANTS = 10_000


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One variant, or several with a grid of its own: the base, with another recipe or another run file in
    its place, and single fields set. tried: settings looked at on dev before these were chosen."""

    name: str
    recipe: str | None = None
    setting: Setting = "mini"
    run: str | None = None
    set: tuple[str, ...] = ()
    tried: int = 1

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise RecipeError("name: it is empty; tables show it")
        if self.recipe is not None and self.run is not None:
            raise RecipeError("run: a variant has a recipe or a run file of its own, not both")
        if self.tried < 1:
            raise RecipeError(f"tried: {self.tried} is below 1; the settings themselves were tried")


@dataclass(frozen=True, kw_only=True)
class ScoredOn:
    """What finished encoders are scored on: a suite in a folder of data, or files of scored pairs."""

    suite: str | None = None
    data: str | None = None
    files: tuple[str, ...] = ()
    split: str | None = None

    def __post_init__(self) -> None:
        if (self.suite is None) == (not self.files):
            raise RecipeError('suite: name what to test on: suite = "sts" and data, or files = ["pairs.csv"]')
        if self.suite is not None and self.data is None:
            raise RecipeError(f"data: say where suite {self.suite} is: a folder with sts_en/ in it")
        if self.suite is not None and self.split is not None:
            raise RecipeError("split: a suite knows its own; leave it out")


@dataclass(frozen=True, kw_only=True)
class Screen:
    """All variants with a few seeds, chosen on dev; the finalists and the baseline then get fresh seeds."""

    seeds: int = 2
    keep: int = 3
    first_seed: int = 1_000

    def __post_init__(self) -> None:
        for name, least in (("seeds", 1), ("keep", 1), ("first_seed", 0)):
            if getattr(self, name) < least:
                raise RecipeError(f"{name}: {getattr(self, name)} is below {least}")

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(range(self.first_seed, self.first_seed + self.seeds))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The plain fields of a study file; what runs are made of stands in `Study`.

    seeds: how many, from first_seed on, or which. processes, threads: "auto" by the machine. models: whether
    the trained encoders stay on the disk once they are scored. draws: resamples behind an interval. margin:
    points of a metric from 0 to 1 that still count as no worse.
    """

    test: ScoredOn
    baseline: str | None = None
    seeds: int | tuple[int, ...] = 5
    first_seed: int = 0
    variant: tuple[Entry, ...] = ()
    screen: Screen | None = None
    processes: Literal["auto"] | int = "auto"
    threads: Literal["auto"] | int = "auto"
    models: Literal["keep", "drop"] = "keep"
    draws: int = 10_000
    margin: float | None = None

    def __post_init__(self) -> None:
        for name in ("processes", "threads"):
            if getattr(self, name) != "auto" and getattr(self, name) < 1:
                raise RecipeError(f"{name}: {getattr(self, name)} is below 1")
        if self.draws < 100:
            raise RecipeError(f"draws: {self.draws} is below 100; an interval from fewer is noise")
        if self.margin is not None and not 0 < self.margin < 1:
            raise RecipeError(f"margin: {self.margin} is not between 0 and 1; 0.01 is one point of a hundred")
        self._check_seeds()

    def _check_seeds(self) -> None:
        numbers = self.numbers
        if not numbers:
            raise RecipeError("seeds: there must be at least 1")
        if min(numbers) < 0 or self.first_seed < 0:
            raise RecipeError(f"seeds: {min(*numbers, self.first_seed)} is below 0")
        if len(set(numbers)) < len(numbers):
            raise RecipeError(f"seeds: one stands twice among {', '.join(map(str, numbers))}")
        both = set() if self.screen is None else set(numbers) & set(self.screen.numbers)
        if both:
            raise RecipeError(
                f"screen.first_seed: seed {min(both)} would choose the finalists and then score them; "
                "the seeds of the screening must be others"
            )

    @property
    def numbers(self) -> tuple[int, ...]:
        """The seeds that count."""
        if isinstance(self.seeds, tuple):
            return self.seeds
        return tuple(range(self.first_seed, self.first_seed + self.seeds))
