"""Which numbers a recipe has: the paper's, or ours for the built-in encoder."""

from __future__ import annotations

from typing import Literal, get_args

from twinset.errors import RecipeError

Setting = Literal["mini", "paper"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)


def checked(setting: str) -> None:
    """Refuse a setting that no recipe has."""
    if setting not in SETTINGS:
        raise RecipeError(f"setting: {setting!r} is none of {', '.join(SETTINGS)}")
