"""A grid: fields with several values each, and every combination of them, named by what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, cast

from twinset.errors import RecipeError
from twinset.recipes.read import shown
from twinset.studies.settings import MOST_VARIANTS
from twinset.studies.toml_value import toml_value


@dataclass(frozen=True, kw_only=True)
class Point:
    """One combination: its name, and the fields as `--set` takes them."""

    name: str
    set: tuple[str, ...]


def points(table: object, path: str = "grid") -> list[Point]:
    """Every combination of a table field -> list of values, the last field changing fastest.

    >>> [point.name for point in points({"recipe": {"batch_size": [32, 64]}})]
    ['batch_size=32', 'batch_size=64']
    """
    if not isinstance(table, Mapping) or not table:
        raise RecipeError(f"{path}: {shown(table)} is not a table of fields, each with a list of values")
    fields = dict(_fields(cast("Mapping[str, Any]", table), path, ""))
    count = prod(map(len, fields.values()))
    if count > MOST_VARIANTS:
        raise RecipeError(f"{path}: {count:,} combinations; {MOST_VARIANTS:,} are the most")
    names = _short(list(fields))
    return [
        Point(
            name=" ".join(
                f"{names[field]}={_word(value)}" for field, value in zip(fields, values, strict=True)
            ),
            set=tuple(f"{field}={toml_value(value)}" for field, value in zip(fields, values, strict=True)),
        )
        for values in product(*fields.values())
    ]


def _fields(table: Mapping[str, Any], path: str, prefix: str) -> Iterator[tuple[str, list[Any]]]:
    """Dotted names, whether they were written in quotes or not."""
    for name, value in table.items():
        field = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from _fields(cast("Mapping[str, Any]", value), path, f"{field}.")
        elif not isinstance(value, list) or not value:
            raise RecipeError(f"{path}.{field}: {shown(value)} is not a list of values")
        else:
            _check_different(f"{path}.{field}", cast("list[Any]", value))
            yield field, value


def _check_different(field: str, values: list[Any]) -> None:
    seen: set[str] = set()
    for value in values:
        written = toml_value(value)
        if written in seen:
            raise RecipeError(
                f"{field}: {shown(value)} stands twice; the seeds repeat what is to be repeated"
            )
        seen.add(written)


def _short(fields: list[str]) -> dict[str, str]:
    """Each field's last words: as few as tell it from the others."""
    return {field: _ending(field, [other for other in fields if other != field]) for field in fields}


def _ending(field: str, others: list[str]) -> str:
    words = field.split(".")
    ends = [".".join(words[-count:]) for count in range(1, len(words) + 1)]
    return next((end for end in ends if not any(f".{other}".endswith(f".{end}") for other in others)), field)


def _word(value: object) -> str:
    """A value as a name shows it: of a part, its kind."""
    if isinstance(value, Mapping):
        table = cast("Mapping[str, Any]", value)
        rest = [f"{name}={_word(item)}" for name, item in table.items() if name != "kind"]
        return f"{table.get('kind', '')}({' '.join(rest)})" if rest else str(table.get("kind", "{}"))
    return value if isinstance(value, str) else toml_value(value)
