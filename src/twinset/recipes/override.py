"""`--set recipe.objective.temperature=0.05`: single fields of a run file, changed before it is validated."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, cast

from twinset.errors import RecipeError
from twinset.recipes.fields import NONE
from twinset.recipes.read import shown


def overridden(table: dict[str, Any], assignments: Sequence[str]) -> dict[str, Any]:
    """The table with every `field=value` in it; numbers of a list count from 0."""
    changed = deepcopy(table)
    for assignment in assignments:
        field, equals, text = assignment.partition("=")
        names = field.strip().split(".")
        if not equals or not all(names):
            raise RecipeError(f"--set {assignment}: write it as field=value, such as recipe.batch_size=32")
        _put(changed, names, _value(text.strip()))
    return changed


def _value(text: str) -> Any:  # noqa: ANN401 - any TOML value
    """A TOML value where it is one, else the text itself: quotes are awkward in a shell."""
    try:
        read = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    plain = (bool, int, float, str, list, dict)
    return read["value"] if read.keys() == {"value"} and isinstance(read["value"], plain) else text


def _put(table: dict[str, Any], names: Sequence[str], value: object) -> None:
    node: Any = table
    for place, name in enumerate(names[:-1]):
        node = _inside(node, name, ".".join(names[: place + 1]))
    last = names[-1]
    if isinstance(node, list):
        node[_index(node, last, ".".join(names))] = value
        return
    if last == "kind" and names[0] == "recipe" and node.get("kind") != value:
        node.clear()  # another part: the fields of the one before are not its own
    node[last] = value


def _inside(node: Any, name: str, path: str) -> Any:  # noqa: ANN401 - tables and lists of a TOML file
    """The table or list under a name, made where there is none."""
    if isinstance(node, list):
        key: Any = _index(cast("list[Any]", node), name, path)
        child = node[key]
    else:
        key, child = name, node.get(name, {})
    if isinstance(child, str):
        child = {} if child == NONE else {"kind": child}
    if not isinstance(child, (dict, list)):
        raise RecipeError(f"--set {path}: {shown(child)} has no fields of its own")
    node[key] = child
    return cast("Any", child)


def _index(listed: list[Any], name: str, path: str) -> int:
    if not (name.isascii() and name.isdigit()) or int(name) >= len(listed):
        raise RecipeError(f"--set {path}: the list has {len(listed)} entries; name one by its number, from 0")
    return int(name)
