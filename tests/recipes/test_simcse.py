from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.objectives import InfoNCE
from twinset.recipes import simcse
from twinset.views import DropoutTwice


def test_paper() -> None:
    recipe = simcse("paper")
    assert recipe.views == DropoutTwice()
    assert recipe.objective == InfoNCE(temperature=0.05, directions="one", mask_duplicates=False)
    assert (recipe.batch_size, recipe.learning_rate, recipe.epochs, recipe.max_length) == (64, 3e-5, 1, 32)
    assert (recipe.training_pooling, recipe.select.every, recipe.select.keep) == ("cls", 125, "best")
    assert recipe.dropout is None, "without dropout the two looks are one"


def test_mini_is_the_default_and_keeps_dropout() -> None:
    recipe = simcse()
    assert recipe == simcse("mini")
    assert recipe.views == DropoutTwice()
    assert recipe.dropout is None, "without dropout the two looks are one"
    assert recipe.learning_rate > simcse("paper").learning_rate


def test_unknown_setting() -> None:
    with pytest.raises(RecipeError, match="'large' is none of mini, paper"):
        simcse("large")  # type: ignore[arg-type]
