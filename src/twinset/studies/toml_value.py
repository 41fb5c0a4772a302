"""Values of a study file written back as TOML on one line: what `--set` takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast


def toml_value(value: Any) -> str:  # noqa: ANN401 - any value that TOML has
    """A number, text, list or table.

    >>> toml_value({"kind": "queue", "batches": 2.5})
    '{"kind" = "queue", "batches" = 2.5}'
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        # JSON's escapes are TOML's, but that TOML also wants DEL escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return "{" + ", ".join(f"{toml_value(name)} = {toml_value(item)}" for name, item in items) + "}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, cast('list[Any]', value)))}]"
    return repr(value) if isinstance(value, (int, float)) else str(value)
