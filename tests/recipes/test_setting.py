from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.recipes.setting import SETTINGS, checked


def test_settings() -> None:
    for setting in SETTINGS:
        checked(setting)
    with pytest.raises(RecipeError, match="is none of mini, paper"):
        checked("")
