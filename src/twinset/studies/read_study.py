"""From a study file to a study, with what is wrong told under the name of its field."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from twinset.errors import RecipeError
from twinset.recipes import RECIPES, RunFile, parse_run_file, to_toml
from twinset.recipes.read import BROKEN, Reader, nearest, shown
from twinset.recipes.runfile import read_table, read_text, told
from twinset.studies.design import Study, Variant
from twinset.studies.grid import points
from twinset.studies.settings import Entry, Settings
from twinset.studies.toml_value import toml_value

_ALONE = "base"


def read_study(path: str | Path, overrides: Sequence[str] = (), *, seeds: int | None = None) -> Study:
    """Read a study file. overrides: `field=value` of every variant's run file. seeds: how many, instead."""
    source = Path(path)
    name = source.name.removesuffix(".toml")
    text = read_text(source, "study file", "twinset init --study")
    return parse_study(text, overrides, seeds=seeds, source=str(source), name=name)


def parse_study(
    text: str,
    overrides: Sequence[str] = (),
    *,
    seeds: int | None = None,
    source: str = "study file",
    name: str = "study",
) -> Study:
    """A study from the text of its file."""
    table = read_table(text, source)
    if seeds is not None:
        table["seeds"] = seeds
    try:
        return _Parsing(table, overrides, source).study(name)
    except RecursionError as error:
        raise RecipeError(f"{source}: its tables are nested too deeply to be a study") from error


class _Parsing:
    """base and grids are free in form and taken out; all else is read as run files are."""

    def __init__(self, table: dict[str, Any], overrides: Sequence[str], source: str) -> None:
        self.source, self.overrides = source, tuple(overrides)
        self.base = table.pop("base", None)
        self.grid = table.pop("grid", None)
        self.grids = [_taken(each, "grid") for each in _tables(table.get("variant"))]
        self.settings = self._settings(table)

    def study(self, name: str) -> Study:
        variants = tuple(self._variants())
        baseline = self.settings.baseline or variants[0].name
        try:
            return Study(name=name, variants=variants, baseline=baseline, settings=self.settings)
        except RecipeError as error:
            raise self._wrong(str(error)) from error

    def _settings(self, table: dict[str, Any]) -> Settings:
        reader = Reader(also=("base", "grid"))
        read = reader.part(table, {"settings": Settings}, "")
        if read is BROKEN:
            raise RecipeError(told(self.source, reader.problems))
        return cast("Settings", read)

    def _variants(self) -> Iterator[Variant]:
        for place, (entry, grid) in enumerate(zip(self.settings.variant, self.grids, strict=True)):
            text, changes = self._changes(entry, f"variant.{place}")
            if grid is None:
                yield self._variant(entry.name, entry, text, changes)
                continue
            for point in self._points(grid, f"variant.{place}.grid"):
                yield self._variant(f"{entry.name} {point.name}", entry, text, [*changes, *point.set])
        if self.grid is not None or not self.settings.variant:
            text, changes = self._changes(Entry(name=_ALONE), _ALONE)
            own = Entry(name="grid" if self.grid is not None else _ALONE)
            if self.grid is None:
                yield self._variant(own.name, own, text, changes)
            for point in [] if self.grid is None else self._points(self.grid, "grid"):
                yield self._variant(point.name, own, text, [*changes, *point.set])

    def _points(self, table: object, path: str) -> list[Any]:
        try:
            return list(points(table, path))
        except RecipeError as error:
            raise self._wrong(str(error)) from error

    def _changes(self, entry: Entry, path: str) -> tuple[str, list[str]]:
        """The text of a run file, and what is changed in it."""
        if entry.run is not None:
            return read_text(Path(entry.run)), [*self.overrides, *entry.set]
        text, changes = self._base_run()
        if entry.recipe is not None:
            if entry.recipe not in RECIPES:
                near = nearest(entry.recipe, RECIPES)
                raise self._wrong(f"{path}.recipe: there is no recipe {entry.recipe!r}{near}")
            whole = tomllib.loads(to_toml(RECIPES[entry.recipe](entry.setting)))["recipe"]
            changes.append(f"recipe={toml_value(whole)}")
        return text, [*changes, *self.overrides, *entry.set]

    def _base_run(self) -> tuple[str, list[str]]:
        if isinstance(self.base, str):
            return read_text(Path(self.base)), []
        if not isinstance(self.base, Mapping):
            what = "missing" if self.base is None else f"{shown(self.base)} is neither"
            raise self._wrong(f'base: {what}; name a run file (base = "run.toml"), or write one as [base]')
        table = cast("Mapping[str, Any]", self.base)
        return "", [f"{name}={toml_value(item)}" for name, item in table.items()]

    def _variant(self, name: str, entry: Entry, text: str, changes: Sequence[str]) -> Variant:
        for change in changes:
            if change.partition("=")[0].strip() == "seed":
                raise self._wrong(f"variant {name}: {change}: the study's seeds decide; leave it out")
        return Variant(
            name=name,
            run=self._run(name, text, changes),
            family=entry.name,
            tried=entry.tried,
        )

    def _run(self, name: str, text: str, changes: Sequence[str]) -> RunFile:
        where = f"{self.source}, variant {name}"
        try:
            return parse_run_file(text, changes, source=where)
        except RecipeError as error:
            words = str(error).replace("--set ", "set ")
            raise RecipeError(words if words.startswith(where) else f"{where}: {words}") from error

    def _wrong(self, what: str) -> RecipeError:
        return RecipeError(f"{self.source}: {what}")


def _tables(listed: object) -> list[object]:
    return cast("list[object]", listed) if isinstance(listed, list) else []


def _taken(entry: object, name: str) -> object:
    """The free-form part of an entry, taken out of it; None where there is none."""
    return cast("dict[str, object]", entry).pop(name, None) if isinstance(entry, dict) else None
