from __future__ import annotations

import pytest

from twinset.baselines import FlowSettings
from twinset.errors import RecipeError, RequestError


def test_defaults_are_those_of_the_papers_program() -> None:
    made = FlowSettings()
    assert (made.levels, made.depth, made.width, made.coupling) == (3, 3, 32, "additive")
    assert (made.learning_rate, made.batch_size, made.epochs, made.clip) == (1e-3, 64, 1, 1.0)


@pytest.mark.parametrize("name", ["levels", "depth", "width", "learning_rate", "clip", "epochs"])
def test_nothing_is_not_enough(name: str) -> None:
    with pytest.raises(RequestError, match=f"{name}: 0 is not above 0"):
        FlowSettings(**{name: 0})


def test_other_settings_that_cannot_be() -> None:
    with pytest.raises(RequestError, match="batch_size: 1"):
        FlowSettings(batch_size=1)
    with pytest.raises(RequestError, match="weight_decay: -1 is below 0"):
        FlowSettings(weight_decay=-1)
    with pytest.raises(RecipeError, match="'afine' is none of additive, affine; did you mean 'affine'"):
        FlowSettings(coupling="afine")  # type: ignore[arg-type]
