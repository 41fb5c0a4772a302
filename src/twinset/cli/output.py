"""What goes where: results on stdout, everything else on stderr, files whole or not at all."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from twinset.errors import RequestError


def say(text: str) -> None:
    """A note for people, on stderr."""
    sys.stderr.write(text + "\n")


def show(text: str) -> None:
    """A result, on stdout."""
    sys.stdout.write(text + "\n")


def show_json(content: Mapping[str, object]) -> None:
    """A result for machines: one JSON object on stdout."""
    show(json.dumps(without_nan(content), allow_nan=False))


def without_nan(value: Any) -> Any:  # noqa: ANN401 - anything that JSON can hold
    """What is not a number is null: JSON has no word for it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: without_nan(item) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [without_nan(item) for item in cast("Sequence[Any]", value)]
    return value


def watched_by_a_person() -> bool:
    """Whether stderr is a terminal, so that a moving bar makes sense."""
    return sys.stderr.isatty()


def check_target(path: Path) -> None:
    """Before the work: that a file can be written here."""
    if path.is_dir():
        raise RequestError(f"{path}: is a folder; name a file to write to")
    parent = path.parent
    if not parent.exists():
        raise RequestError(f"{path}: there is no folder {parent}; make it first")
    if not parent.is_dir():
        raise RequestError(f"{path}: {parent} is a file, not a folder")
    if not os.access(parent, os.W_OK):
        raise RequestError(f"{path}: the folder {parent} cannot be written to")
