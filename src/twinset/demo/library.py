"""The demo's questions: texts to learn from, and questions whose right answers are known."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, kw_only=True)
class Topic:
    """Questions that ask for the same thing. `asked` is kept out of training."""

    name: str
    known: tuple[str, ...]
    asked: str


def topics() -> tuple[Topic, ...]:
    """The topics that come with the package."""
    text = resources.files("twinset.demo").joinpath("library.toml").read_text(encoding="utf-8")
    return tuple(
        Topic(name=topic["name"], known=tuple(topic["known"]), asked=topic["asked"])
        for topic in tomllib.loads(text)["topic"]
    )
