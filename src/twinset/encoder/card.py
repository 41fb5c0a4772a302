"""The model card: what this encoder is, what it was taught, what it scored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_TAGS = ("sentence-transformers", "sentence-similarity", "feature-extraction", "twinset")
_WHAT = "Texts in, vectors out: texts of like meaning get vectors of like direction."
_USE = (
    "```python",
    "from sentence_transformers import SentenceTransformer",
    "",
    'encoder = SentenceTransformer("path/to/this/folder")',
    'vectors = encoder.encode(["a text"])',
    "```",
)


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Card:
    """What only the one who trained the encoder knows.

    recipe: settings by name. scores: a number, or text such as `76.2 (95% CI 75.1 to 77.3)`, by name.
    """

    base_model: str | None = None
    data: str | None = None
    recipe: Mapping[str, Any] = field(default_factory=_nothing)
    scores: Mapping[str, float | str] = field(default_factory=_nothing)
    licence: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()


def render(card: Card, *, facts: Mapping[str, object], remarks: tuple[str, ...] = ()) -> str:
    """Markdown with the front matter that model hubs read. `facts`: the encoder's own numbers."""
    title = "# A sentence encoder" if card.base_model is None else f"# {card.base_model}, taught by contrast"
    parts = [_front_matter(card), title, "", _WHAT]
    parts += ["", *_USE]
    parts += _section("The encoder", _table(facts))
    if remarks:
        parts += ["", *(f"**Note.** {remark}" for remark in remarks)]
    if card.data is not None:
        parts += _section("What it was taught on", [card.data])
    parts += _section("Recipe", _table(card.recipe))
    parts += _section("Scores", _table(card.scores))
    return "\n".join(parts) + "\n"


def _front_matter(card: Card) -> str:
    fields: dict[str, object] = {
        "license": card.licence,
        "language": card.language,
        "base_model": card.base_model,
        "library_name": "sentence-transformers",
        "pipeline_tag": "sentence-similarity",
        "tags": list(dict.fromkeys([*_TAGS, *card.tags])),
    }
    # A JSON value is a YAML value, quoted where it must be.
    given = {
        name: json.dumps(value, ensure_ascii=False) for name, value in fields.items() if value is not None
    }
    lines = [f"{name}: {value}" for name, value in given.items()]
    return "\n".join(["---", *lines, "---", ""])


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _table(values: Mapping[str, object]) -> list[str]:
    if not values:
        return []
    return ["| | |", "|---|---|", *(f"| {_cell(name)} | {_cell(value)} |" for name, value in values.items())]


def _cell(value: object) -> str:
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return " ".join(shown.replace("|", "\\|").split())
