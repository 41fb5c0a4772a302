"""From a run file's plain values to settings, with everything that is wrong with them told at once.

Single values go through pydantic, strictly; parts are made by their own dataclasses, whose complaints are
passed on under the field's full name.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast, final

from pydantic import ConfigDict, TypeAdapter, ValidationError

from twinset.errors import RequestError
from twinset.recipes.fields import (
    NONE,
    Entry,
    allowed,
    choices_of,
    entries,
    listed_parts,
    may_be_none,
    parts_of,
)
from twinset.training.recipe import kind_of

BROKEN = object()
"""Stands for a value that could not be read."""

_LARGEST = 10**15
"""A number of steps, tokens or rows beyond it is a slip, and arithmetic leaves the machine's range."""


@final
class Reader:
    """Reads values one by one and collects what is wrong in `problems`. also: fields of the whole that
    somebody else reads; they are named where a field's name is wrong."""

    def __init__(self, also: Iterable[str] = ()) -> None:
        self.problems: list[str] = []
        self.also = tuple(also)

    def part(
        self, value: object, kinds: Mapping[str, type], path: str, *, usual: str | None = None
    ) -> object:
        """A table (or the bare word for a kind) to the part it describes. `usual`: the kind unless named."""
        bare_word = isinstance(value, str) and (len(kinds) > 1 or value in kinds)
        table = {"kind": value} if bare_word else value
        if not isinstance(table, Mapping):
            return self._wrong(path, f"{shown(value)} is not a table")
        given = cast("Mapping[str, object]", table)
        kind = self._kind(given, kinds, path, usual)
        if kind is None:
            return BROKEN
        known = entries(kind)
        before = len(self.problems)
        read = {name: self._field(given, entry, path) for name, entry in known.items()}
        for name in given:
            if name in known or (name == "kind" and str(given[name]) in kinds):
                continue
            names = known if path else (*known, *self.also)
            self._wrong(_under(path, name), f"no such field{nearest(name, names)}")
        if len(self.problems) > before:
            return BROKEN
        return self._made(kind, {name: item for name, item in read.items() if item is not _LEFT_OUT}, path)

    def _kind(
        self, given: Mapping[str, object], kinds: Mapping[str, type], path: str, usual: str | None
    ) -> type | None:
        if len(kinds) == 1:  # needs no word, and may have a field of that name
            return next(iter(kinds.values()))
        word = given.get("kind", usual)
        if isinstance(word, str) and word in kinds:
            return kinds[word]
        place = _under(path, "kind")
        if word is None:
            self._wrong(place, f"missing; it is one of {', '.join(kinds)}")
        else:
            self._wrong(place, f"{shown(word)} is none of {', '.join(kinds)}{_near(word, kinds)}")
        return None

    def _field(self, given: Mapping[str, object], entry: Entry, path: str) -> object:
        place = _under(path, entry.name)
        if entry.name in given:
            return self._value(given[entry.name], entry, place)
        if entry.required:
            parts = parts_of(entry.hint)
            what = f"a part, one of {', '.join(parts)}" if parts else allowed(entry.hint)
            return self._wrong(place, f"missing; it must be given: {what}")
        return _LEFT_OUT

    def _value(self, value: object, entry: Entry, path: str) -> object:
        if value == NONE and may_be_none(entry.hint):
            return None
        kinds = parts_of(entry.hint)
        if kinds:
            usual = kind_of(type(entry.default))
            return self.part(value, kinds, path, usual=usual if usual in kinds else None)
        item = listed_parts(entry.hint)
        if item is None:
            return self._leaf(value, entry.hint, path)
        if not isinstance(value, list):
            return self._wrong(path, f"{shown(value)} is not a list of tables ([[{path}]])")
        listed = cast("list[object]", value)
        read = [self.part(each, parts_of(item), f"{path}.{place}") for place, each in enumerate(listed)]
        return BROKEN if any(each is BROKEN for each in read) else tuple(read)

    def _leaf(self, value: object, hint: Any, path: str) -> object:  # noqa: ANN401 - an annotation
        if _numbers_in(value) and max(map(abs, _numbers_in(value))) > _LARGEST:
            return self._wrong(path, f"{shown(value)} is beyond any number that makes sense here")
        if isinstance(value, str) and "\0" in value:
            return self._wrong(path, f"{shown(value)} holds a NUL character, which no name does")
        try:
            return _adapter(hint).validate_python(_tupled(value))
        except ValidationError:
            words = choices_of(hint)
            if words and isinstance(value, str):
                return self._wrong(path, f"{shown(value)} is none of {', '.join(words)}{_near(value, words)}")
            return self._wrong(path, f"{shown(value)} is not {allowed(hint)}")

    def _made(self, kind: Callable[..., object], values: Mapping[str, object], path: str) -> object:
        try:
            return kind(**values)
        except RequestError as error:
            self.problems.append(_placed(str(error), path, kind_of(cast("type", kind))))
            return BROKEN

    def _wrong(self, path: str, what: str) -> object:
        self.problems.append(f"{path}: {what}" if path else what)
        return BROKEN


_LEFT_OUT = object()


@cache
def _adapter(hint: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - an annotation
    return TypeAdapter(hint, config=ConfigDict(strict=True, allow_inf_nan=False))


def _tupled(value: object) -> object:
    """Lists as tuples: what is frozen holds no lists."""
    return tuple(map(_tupled, cast("list[object]", value))) if isinstance(value, list) else value


def _numbers_in(value: object) -> list[float]:
    """The finite numbers of a value or a list."""
    if isinstance(value, list):
        return [number for each in cast("list[object]", value) for number in _numbers_in(each)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    return [] if value != value else [value]  # noqa: PLR0124 - NaN is left to the adapter


def _placed(message: str, path: str, kind: str) -> str:
    """A part's own complaint under its full path: "rate: 2 ..." or "token_cutoff.rate: 2 ..."."""
    head, colon, rest = message.partition(": ")
    if not colon or not re.fullmatch(r"[a-z_.]+", head):
        return f"{path}: {message}" if path else message
    names = head.split(".")
    own = {kind, path.rsplit(".", 1)[-1]}
    return f"{'.'.join([*filter(None, [path]), *(names[1:] if names[0] in own else names)])}: {rest}"


def _under(path: str, name: str) -> str:
    word = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else repr(name)
    return f"{path}.{word}" if path else word


def nearest(name: str, known: Iterable[str]) -> str:
    """Ask whether the nearest was meant, or say what there is."""
    names = list(known)
    return _near(name, names) or (f"; there are {', '.join(names)}" if names else "; there are none here")


def _near(word: object, known: Iterable[str]) -> str:
    names: Sequence[str] = list(known)
    close = difflib.get_close_matches(str(word), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def shown(value: object) -> str:
    """A value as a person wrote it, cut where it is long."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
