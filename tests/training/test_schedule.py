from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.training.schedule import Schedule


def factors(schedule: Schedule, total: int) -> list[float]:
    return [schedule.factor(done, total) for done in range(total)]


def test_linear_by_hand() -> None:
    expected = [0, 1 / 2, 1, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8]
    assert factors(Schedule(warmup=0.2), 10) == pytest.approx(expected)


def test_cosine_by_hand() -> None:
    expected = [0, 1, 0.8535533906, 0.5, 0.1464466094]
    assert factors(Schedule(warmup=1, decay="cosine"), 5) == pytest.approx(expected)


def test_constant_by_hand() -> None:
    assert factors(Schedule(warmup=3, decay="constant"), 6) == pytest.approx([0, 1 / 3, 2 / 3, 1, 1, 1])


def test_without_warmup_the_first_update_has_the_whole_rate() -> None:
    assert factors(Schedule(warmup=0), 4) == pytest.approx([1, 3 / 4, 2 / 4, 1 / 4])


def test_warmup_longer_than_the_run() -> None:
    assert factors(Schedule(warmup=8), 4) == pytest.approx([0, 1 / 8, 2 / 8, 3 / 8])


def test_a_share_counts_of_the_whole_run() -> None:
    assert Schedule(warmup=0.1).factor(25, 1000) == pytest.approx(0.25)


@pytest.mark.parametrize("warmup", [-0.1, 1.5, 10.25])
def test_impossible_warmup_is_refused(warmup: float) -> None:
    with pytest.raises(RecipeError, match=r"schedule\.warmup"):
        Schedule(warmup=warmup)
