"""What a run file can say: the fields of the settings' dataclasses, and what may stand in each.

Nothing is registered: the words come from the annotations, the kinds from the members of the typed unions.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from twinset.batching import AnyBatching
from twinset.objectives import AnyObjective
from twinset.training.recipe import kind_of
from twinset.training.steps import AnyStep
from twinset.views import AnyView, AnyViews

# Parts that hold parts name their union for the type checker alone, since the union names them in turn. An
# attack is any objective; in a run file, any that has a word.
_UNIONS = {
    "AnyBatching": AnyBatching,
    "AnyObjective": AnyObjective,
    "AnyStep": AnyStep,
    "AnyView": AnyView,
    "AnyViews": AnyViews,
    "Objective": AnyObjective,
}
_PLAIN = {
    bool: "true or false",
    float: "a finite number",
    int: "a whole number",
    str: "a text in quotes",
}
NONE = "none"
"""The word for None: TOML has none of its own."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One field: its name, its annotation resolved, and its default (MISSING where it must be given)."""

    name: str
    hint: Any
    default: Any

    @property
    def required(self) -> bool:
        return self.default is MISSING


@cache
def entries(part: type) -> Mapping[str, Entry]:
    """The fields of a dataclass that a run file has words for, by name."""
    hints = get_type_hints(part, localns=_UNIONS)
    found = [Entry(name=item.name, hint=hints[item.name], default=_default(item)) for item in fields(part)]
    return {entry.name: entry for entry in found if _has_words(entry.hint)}


def _default(item: Field[Any]) -> Any:  # noqa: ANN401 - whatever the field holds
    return item.default_factory() if item.default_factory is not MISSING else item.default


def _has_words(hint: Any) -> bool:  # noqa: ANN401 - an annotation
    """Numbers, texts, lists and settings have; an object that does work (a disk) has not."""
    return bool(parts_of(hint) or listed_parts(hint)) or all(
        member in _PLAIN or get_origin(member) in (Literal, tuple) for member in _members(hint)
    )


def parts_of(hint: Any) -> dict[str, type]:  # noqa: ANN401 - an annotation
    """The parts that may stand in a field, by their kinds; empty where it holds plain values."""
    members = [member for member in _members(hint) if isinstance(member, type) and is_dataclass(member)]
    return {kind_of(member): member for member in members}


def listed_parts(hint: Any) -> Any:  # noqa: ANN401 - an annotation in, an annotation or None out
    """X where the annotation is tuple[X, ...] and X is a part; else None."""
    arguments = get_args(hint)
    if get_origin(hint) is tuple and arguments[-1] is Ellipsis and parts_of(arguments[0]):
        return arguments[0]
    return None


def may_be_none(hint: Any) -> bool:  # noqa: ANN401 - an annotation
    """Whether the word "none" may stand here."""
    return types.NoneType in get_args(hint)


def choices_of(hint: Any) -> tuple[str, ...]:  # noqa: ANN401 - an annotation
    """The words of a Literal, or of the Literal among a union's members."""
    return tuple(
        str(word) for member in _members(hint) if get_origin(member) is Literal for word in get_args(member)
    )


def allowed(hint: Any) -> str:  # noqa: ANN401 - an annotation
    """In words what may stand in a field of plain values."""
    parts = parts_of(hint)
    plain = [member for member in _members(hint) if member not in parts.values()]
    words = [f"a table ({', '.join(parts)})"] if parts else []
    words += [_allowed_member(member) for member in plain]
    return " or ".join([*words, f'"{NONE}"'] if may_be_none(hint) else words)


def _allowed_member(member: Any) -> str:  # noqa: ANN401 - an annotation
    arguments = get_args(member)
    if get_origin(member) is Literal:
        return "one of " + ", ".join(map(str, arguments))
    if get_origin(member) is tuple:
        many = "a list" if arguments[-1] is Ellipsis else f"a list of {len(arguments)}"
        return f"{many}, each {allowed(arguments[0])}"
    return _PLAIN[member]


def _members(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an annotation
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(member for member in get_args(hint) if member is not types.NoneType)
    return (hint,)
