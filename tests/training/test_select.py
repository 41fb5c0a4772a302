from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.training.select import Select


@pytest.mark.parametrize("name", ["every", "patience"])
@pytest.mark.parametrize("value", [0, -3])
def test_a_count_below_one_is_refused(name: str, value: int) -> None:
    with pytest.raises(RecipeError, match=rf"select\.{name}: {value}"):
        Select(**{name: value})  # type: ignore[arg-type]


def test_one_is_enough() -> None:
    assert Select(every=1, patience=1).every == 1
