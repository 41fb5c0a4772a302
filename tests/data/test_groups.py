from __future__ import annotations

import numpy as np
import pytest

from twinset.data import Groups
from twinset.errors import DataError


def test_names_every_row() -> None:
    groups = Groups.of(["news", "forum", "news"])
    assert groups.names == ("news", "forum")
    assert groups.ids.tolist() == [0, 1, 0]
    assert list(groups) == ["news", "forum", "news"]
    assert groups[1] == "forum"
    assert {name: rows.tolist() for name, rows in groups.items()} == {"news": [0, 2], "forum": [1]}


def test_taking_drops_names_without_rows() -> None:
    groups = Groups.of(["a", "b", "c", "b"]).take(np.array([3, 2, 1]))
    assert list(groups) == ["b", "c", "b"]
    assert set(groups.names) == {"b", "c"}


def test_a_group_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(DataError, match="no 'x' among a, b"):
        Groups.of(["a", "b"]).rows("x")
    with pytest.raises(DataError, match="ids run from 0 to 2"):
        Groups(np.array([0, 2]), ("a", "b"))
