"""From settings to the text of a run file: every field, with a line on what it means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from twinset.recipes.fields import NONE, Entry, entries, listed_parts, parts_of
from twinset.recipes.runfile import RunFile, TrainingData
from twinset.recipes.words import about, heading
from twinset.training import Recipe, Recording
from twinset.training.recipe import kind_of

_OPENING = (
    "# A run of twinset: twinset train FILE --out FOLDER",
    '# Paths are as seen from where twinset is started. "none" is no value.',
)
_HEADINGS: dict[type, str] = {
    TrainingData: "What is learned from, and what is watched meanwhile",
    Recipe: "How it is learned",
    Recording: "How the run is recorded",
}
_MOST_ALIGNED = 34


@dataclass(frozen=True, kw_only=True)
class _Line:
    text: str
    comment: str


def to_toml(settings: RunFile | Recipe) -> str:
    """A run file, or a run file's table [recipe], that reads back as an equal object."""
    if isinstance(settings, Recipe):
        return "\n".join(_table(settings, "recipe", {})) + "\n"
    return "\n".join([*_OPENING, "", *_body(settings, "", {})]) + "\n"


def _table(part: object, path: str, kinds: dict[str, type], *, listed: bool = False) -> Iterator[str]:
    yield f"# {_HEADINGS.get(type(part)) or heading(type(part))}"
    yield f"[[{path}]]" if listed else f"[{path}]"
    yield from _body(part, path, kinds)


def _body(part: object, path: str, kinds: dict[str, type]) -> Iterator[str]:
    """Single values first, then tables: TOML has no way back up."""
    kind = type(part)
    known = entries(kind).values()
    lines = [_Line(text=f'kind = "{kind_of(kind)}"', comment=", ".join(kinds))] if len(kinds) > 1 else []
    tables: list[Entry] = []
    for entry in known:
        value = getattr(part, entry.name)
        if _is_table(entry, value):
            tables.append(entry)
        else:
            lines.append(_Line(text=f"{entry.name} = {_value(value)}", comment=about(kind, entry)))
    yield from _aligned(lines)
    for entry in tables:
        yield from _inner(entry, getattr(part, entry.name), f"{path}.{entry.name}" if path else entry.name)


def _is_table(entry: Entry, value: object) -> bool:
    if listed_parts(entry.hint) is not None:
        return bool(value)
    return bool(parts_of(entry.hint)) and value is not None


def _inner(entry: Entry, value: object, path: str) -> Iterator[str]:
    item = listed_parts(entry.hint)
    if item is None:
        yield ""
        yield from _table(value, path, parts_of(entry.hint))
        return
    for each in cast("tuple[object, ...]", value):
        yield ""
        yield from _table(each, path, parts_of(item), listed=True)


def _aligned(lines: list[_Line]) -> Iterator[str]:
    width = max((len(line.text) for line in lines if len(line.text) <= _MOST_ALIGNED), default=0)
    for line in lines:
        yield f"{line.text.ljust(width)}  # {line.comment}"


def _value(value: Any) -> str:  # noqa: ANN401 - any plain value
    if value is None:
        return f'"{NONE}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        # JSON's escapes are TOML's, but that TOML also wants DEL escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, cast('tuple[object, ...]', value)))}]"
    return repr(value)
