"""What run files check, checked for settings made in Python, too: words, numbers, and parts that are made.

A dataclass believes its annotations. `Recipe(training_pooling="CLS")` would train something else than meant.
"""

from __future__ import annotations

import difflib
import types
from dataclasses import fields
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from twinset.errors import RecipeError

_NUMBERS = (bool, int, float)


def check_settings(made: object) -> None:
    """Every field of a dataclass against its annotation, as far as plain values go."""
    for name, hint in _hints(type(made)).items():
        fault = _fault(getattr(made, name), hint)
        if fault is not None:
            raise RecipeError(f"{name}: {fault}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {item.name: hints[item.name] for item in fields(kind)}  # type: ignore[arg-type]


def _fault(value: Any, hint: Any) -> str | None:  # noqa: ANN401 - any value, any annotation
    if isinstance(value, type):
        return f"{value.__name__} is a class; make one: {value.__name__}()"
    members = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if value is None and types.NoneType in members:
        return None
    words = [word for member in members if get_origin(member) is Literal for word in get_args(member)]
    if words and value not in words:
        return f"{value!r} is none of {', '.join(map(str, words))}{_near(value, words)}"
    numbers = [member for member in members if member in _NUMBERS]
    return None if words or not numbers else _no_number(value, numbers)


def _no_number(value: Any, kinds: list[type]) -> str | None:  # noqa: ANN401 - any value
    if kinds == [bool]:
        return None if isinstance(value, bool) else f"{value!r} is not True or False"
    accepted = (int, float) if float in kinds else tuple(kinds)
    if isinstance(value, accepted) and (bool in kinds or not isinstance(value, bool)):
        return None
    return f"{value!r} is not {'a number' if float in kinds else 'a whole number'}"


def _near(value: object, words: list[str]) -> str:
    close = difflib.get_close_matches(str(value).lower(), words, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
