"""A study: variants, each a run file for every seed, and what they are compared on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from twinset.errors import RecipeError
from twinset.recipes import RunFile
from twinset.recipes.perform import resolved
from twinset.recipes.read import nearest
from twinset.studies.settings import Settings

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._=+,@()-]{0,99}")


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One of the things compared. run: its run file, whose seed each cell replaces. family: the entry of the
    study file that it comes from; the settings of a family are tuned together. tried: settings of the
    family that were looked at on dev before the study."""

    name: str
    run: RunFile
    family: str
    tried: int = 1

    @property
    def folder(self) -> str:
        """What its folder is called: its name where a file system takes that."""
        if _PLAIN_NAME.fullmatch(self.name) and not self.name.endswith((".", " ")):
            return self.name
        plain = re.sub(r"[^A-Za-z0-9._=+-]+", "-", self.name).strip(".-")[:60] or "variant"
        return f"{plain}-{blake2b(self.name.encode(), digest_size=4).hexdigest()}"

    def seeded(self, seed: int) -> RunFile:
        """The run file of one cell, with whole paths and without a bar of its own."""
        recording = replace(self.run.recording, progress=False)
        return resolved(replace(self.run, seed=seed, recording=recording))


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One variant with one seed. screening: it only helps to choose the finalists."""

    variant: Variant
    seed: int
    screening: bool = False

    @property
    def place(self) -> Path:
        """Where it is, below the study's folder."""
        return Path("cells") / self.variant.folder / f"seed-{self.seed}"

    def __str__(self) -> str:
        return f"{self.variant.name}, seed {self.seed}"


@dataclass(frozen=True, kw_only=True)
class Study:
    """name: what its folder is called, unless told. baseline: the variant that others are held against."""

    name: str
    variants: tuple[Variant, ...]
    baseline: str
    settings: Settings

    def __post_init__(self) -> None:
        names = [variant.name for variant in self.variants]
        folders = [variant.folder.lower() for variant in self.variants]
        for place, folder in enumerate(folders):
            if folder in folders[:place]:
                raise RecipeError(f"variant: two are called {names[place]!r}; names tell them apart")
        if self.baseline not in names:
            raise RecipeError(
                f"baseline: no variant is called {self.baseline!r}{nearest(self.baseline, names)}"
            )
        if self.settings.screen is not None:
            blind = [variant.name for variant in self.variants if variant.run.data.dev is None]
            if blind:
                raise RecipeError(f"screen: variants are chosen on dev, and {blind[0]} has no data.dev")

    def variant(self, name: str) -> Variant:
        return next(variant for variant in self.variants if variant.name == name)

    @property
    def screening(self) -> tuple[Cell, ...]:
        """The cells that choose the finalists, seed by seed; none without a screening."""
        screen = self.settings.screen
        if screen is None or len(self.variants) <= screen.keep:
            return ()
        return tuple(
            Cell(variant=variant, seed=seed, screening=True)
            for seed in screen.numbers
            for variant in self.variants
        )

    def counted(self, variants: Sequence[Variant]) -> tuple[Cell, ...]:
        """The cells whose scores count: seed by seed, so that a study cut short is a fair one."""
        return tuple(
            Cell(variant=variant, seed=seed) for seed in self.settings.numbers for variant in variants
        )
