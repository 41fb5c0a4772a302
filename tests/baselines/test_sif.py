from __future__ import annotations

import numpy as np
import pytest

from tests.baselines.stand_in import drawn
from twinset.baselines import Sif
from twinset.errors import RecipeError, RequestError


def test_weights_worked_out_by_hand() -> None:
    # "the" is 3 of 5 words, "cat" and "dog" one each.
    found = Sif(a=0.2).weights([["the", "cat"], ["the", "the", "dog"]])
    assert found == pytest.approx({"the": 0.25, "cat": 0.5, "dog": 0.5})


def test_what_all_share_is_the_first_singular_vector_not_centred() -> None:
    vectors = drawn(30, 4)
    _, _, rows = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    found = Sif(components=2).shared(vectors)
    assert found.shape == (4, 2)
    np.testing.assert_allclose(np.abs(found.T @ rows[:2].T), np.eye(2), atol=1e-9)


@pytest.mark.parametrize("settings", [{"a": 0}, {"a": -1}, {"components": -1}])
def test_settings_that_cannot_be(settings: dict[str, float]) -> None:
    with pytest.raises(RequestError, match=r"is not above 0|is below 0"):
        Sif(**settings)  # type: ignore[arg-type]


def test_settings_of_another_kind() -> None:
    with pytest.raises(RecipeError, match=r"components: 1\.5 is not a whole number"):
        Sif(components=1.5)  # type: ignore[arg-type]


def test_more_directions_than_there_are_is_refused() -> None:
    with pytest.raises(RequestError, match="3 directions cannot be taken from 2 texts of 4 dimensions"):
        Sif(components=3).shared(drawn(2, 4))
