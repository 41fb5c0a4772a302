from __future__ import annotations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evidence.holm import holm


def plain_loop(values: list[float]) -> list[float]:
    ordered = sorted(range(len(values)), key=lambda place: values[place])
    found = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(ordered):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        found[place] = largest
    return found


def test_worked_out_by_hand() -> None:
    assert holm([0.01, 0.02, 0.9]) == pytest.approx([0.03, 0.04, 0.9])
    assert holm([0.6, 0.5]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_as_a_plain_loop_has_it() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        values = np.round(rng.random(int(rng.integers(1, 9))) ** 3, 2).tolist()
        assert holm(values) == pytest.approx(plain_loop(values))


def test_what_is_no_chance_is_refused() -> None:
    with pytest.raises(RequestError, match="from 0 to 1"):
        holm([0.5, 1.2])
    with pytest.raises(RequestError, match="from 0 to 1"):
        holm([float("nan")])
