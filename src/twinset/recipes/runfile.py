"""A run file: encoder, data, recipe, seed and how it is recorded, as one TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from twinset.errors import RecipeError
from twinset.recipes.override import overridden
from twinset.recipes.read import BROKEN, Reader
from twinset.training import Recipe, Recording

DataKind = Literal["auto", "sentences", "pairs", "scored_pairs", "labelled_pairs", "triples"]


@dataclass(frozen=True, kw_only=True)
class TrainingData:
    """What is trained on, and what is watched meanwhile.

    columns: names, or positions counted from 0. Several columns as sentences: the texts of all of them.
    dev: a file of scored pairs, or a folder of data with STS-B in it.
    """

    train: str
    kind: DataKind = "auto"
    columns: tuple[str | int, ...] | None = None
    roles: tuple[str, ...] | None = None
    split: str | None = None
    limit: int | None = None
    encoding: str = "utf-8"
    dev: str | None = None
    dev_split: str | None = None

    def __post_init__(self) -> None:
        for name in ("train", "dev"):
            if getattr(self, name) == "":
                raise RecipeError(f"{name}: the name is empty; name a file")
        if self.limit is not None and self.limit < 2:
            raise RecipeError(f"limit: {self.limit} is below 2; contrast needs at least 2 texts that meet")


@dataclass(frozen=True, kw_only=True)
class RunFile:
    """Everything a run is a function of, but for the machine."""

    encoder: str = "mini"
    seed: int = 0
    data: TrainingData
    recipe: Recipe = field(default_factory=Recipe)
    recording: Recording = field(default_factory=Recording)

    def __post_init__(self) -> None:
        if not self.encoder:
            raise RecipeError("encoder: the name is empty; name a folder, a hub id or mini")
        if self.seed < 0:
            raise RecipeError(f"seed: {self.seed} is below 0")


@dataclass(frozen=True, kw_only=True)
class _RecipeFile:
    recipe: Recipe = field(default_factory=Recipe)


def read_run_file(path: str | Path, overrides: Sequence[str] = ()) -> RunFile:
    """Read a run file; `overrides` are `field=value` and go through the same checks."""
    return parse_run_file(read_text(Path(path)), overrides, source=str(path))


def read_text(source: Path, kind: str = "run file", writer: str = "twinset init") -> str:
    """The text of a file that people write, or have `writer` write."""
    if source.is_dir():
        raise RecipeError(f"{source}: is a folder; name a {kind} ({writer} writes one)")
    try:
        content = source.read_bytes()
    except FileNotFoundError as error:
        raise RecipeError(f"{source}: no such file; {writer} writes a {kind}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RecipeError(f"{source}: cannot be read: {why}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise RecipeError(f"{source}, line {line}: is not UTF-8 text, so it is no {kind}") from error


def parse_run_file(text: str, overrides: Sequence[str] = (), *, source: str = "run file") -> RunFile:
    """A run file from its text."""
    return cast("RunFile", _parsed(text, RunFile, overrides, source))


def parse_recipe(text: str, *, source: str = "recipe") -> Recipe:
    """A recipe from what `to_toml(recipe)` gave: a run file's table [recipe] and nothing else."""
    return cast("_RecipeFile", _parsed(text, _RecipeFile, (), source)).recipe


def _parsed(text: str, kind: type, overrides: Sequence[str], source: str) -> object:
    reader = Reader()
    try:
        table = overridden(read_table(text, source), overrides)
        read = reader.part(table, {kind.__name__: kind}, "")
    except RecursionError as error:
        raise RecipeError(f"{source}: its tables are nested too deeply to be a recipe") from error
    if read is BROKEN:
        raise RecipeError(told(source, reader.problems))
    return read


def read_table(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        # As a file is read: TOML itself knows only these two line ends.
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{source}, {_place(str(error), text)}") from error
    except ValueError as error:  # a number of more digits than Python turns into an integer
        raise RecipeError(f"{source}: is not TOML that can be read: {error}") from error


def _place(message: str, text: str) -> str:
    """The parser's message with its place in front; its "end of document" is the last line."""
    what, _, where = message.rpartition(" (at ")
    found = re.fullmatch(r"line (\d+), column (\d+)\)", where)
    if found is None:
        return f"line {text.count(chr(10)) + 1}: is not TOML: {message}"
    return f"line {found[1]}, column {found[2]}: is not TOML: {what}"


def told(source: str, problems: Sequence[str]) -> str:
    """What is wrong with a file, in one message."""
    if len(problems) == 1:
        return f"{source}: {problems[0]}"
    return "\n  ".join([f"{source}: {len(problems)} things are wrong:", *problems])
