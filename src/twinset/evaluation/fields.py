"""Fields of a file that was written by a program, checked one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np


class UnexpectedError(Exception):
    """Part of the file is not what it should be. Never leaves the room."""


def mapping(value: object, place: str) -> Mapping[str, object]:
    """An object with fields."""
    if not isinstance(value, dict) or not value:
        raise UnexpectedError(f"{place} is missing, empty or no object")
    return cast("Mapping[str, object]", value)


def listed(value: object, place: str) -> Sequence[object]:
    """A list with something in it."""
    if not isinstance(value, list) or not value:
        raise UnexpectedError(f"{place} is missing, empty or no list")
    return cast("Sequence[object]", value)


def numbers(value: object, place: str, *, null: float = float("nan")) -> np.ndarray:
    """Numbers (n,) float64; null becomes `null`."""
    given = [null if each is None else each for each in listed(value, place)]
    try:
        found = np.array(given, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError) as error:
        raise UnexpectedError(f"{place} holds something that is no number") from error
    if len(found) != len(given):
        raise UnexpectedError(f"{place} holds lists where numbers are expected")
    return found


def whole(value: object, place: str) -> np.ndarray:
    """Whole numbers (n,) int64."""
    found = numbers(value, place)
    if not (np.isfinite(found) & (found == np.round(found))).all():
        raise UnexpectedError(f"{place} holds something that is no whole number")
    return found.astype(np.int64)


def texts(value: object, place: str) -> tuple[str, ...]:
    """Texts; may be none."""
    if value in (None, []):
        return ()
    return tuple(str(each) for each in listed(value, place))


def same_length(place: str, **arrays: Sequence[object] | np.ndarray) -> None:
    """Check that all have one entry an item."""
    if len({len(array) for array in arrays.values()}) > 1:
        told = ", ".join(f"{len(array)} {name.replace('_', ' ')}" for name, array in arrays.items())
        raise UnexpectedError(f"{place} has {told}")
