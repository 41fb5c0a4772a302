from __future__ import annotations

import numpy as np
import pytest

from twinset.data import (
    Dataset,
    Groups,
    LabelledPairs,
    LabelledSentences,
    Pairs,
    RankedLists,
    ScoredPairs,
    Sentences,
    Triples,
)
from twinset.errors import DataError

EVERY = [
    Sentences(["a", "b", "c"], groups=Groups.of(["x", "y", "x"])),
    LabelledSentences(["a", "b", "c"], np.array([0, 1, 0])),
    Pairs(["a", "b", "c"], ["d", "e", "f"], roles=("query", "document")),
    ScoredPairs(["a", "b", "c"], ["d", "e", "f"], np.array([1.0, 2.0, 3.0])),
    LabelledPairs(["a", "b", "c"], ["d", "e", "f"], np.array([2, 0, 1]), ("no", "maybe", "yes")),
    Triples(["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]),
    RankedLists(["a", "b"], ["d", "e", "f"], np.array([0, 0, 1]), np.array([1, 0, 2])),
]


@pytest.mark.parametrize("data", EVERY, ids=lambda data: type(data).__name__)
def test_every_kind_keeps_the_contract(data: Dataset) -> None:
    assert isinstance(data, Dataset)
    assert all(len(column) == len(data) == 3 for column in data.columns)
    assert len(data.roles) == len(data.columns)
    taken = data.take(np.array([2, 0]))
    assert type(taken) is type(data)
    for before, after in zip(data.columns, taken.columns, strict=True):
        assert list(after) == [before[2], before[0]]
    for name in ("labels", "scores"):
        before, after = getattr(data, name), getattr(taken, name)
        assert (before is None) == (after is None)
        if before is not None:
            assert after.tolist() == [before[2], before[0]]
    assert taken.roles == data.roles
    assert data == data.take([0, 1, 2])
    assert data != taken
    assert data.describe().startswith(f"{type(data).__name__}: 3 ")


def test_groups_and_notes_go_along() -> None:
    data = Pairs(["a", "b"], ["c", "d"], groups=Groups.of(["x", "y"]), notes=("one left out",))
    taken = data.take([1])
    assert list(taken.groups) == ["y"]
    assert taken.notes == ("one left out",)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(DataError, match="second has 1 rows, first has 2"):
        Pairs(["a", "b"], ["c"])
    with pytest.raises(DataError, match="scores has 1 rows, first has 2"):
        ScoredPairs(["a", "b"], ["c", "d"], [1.0])
    with pytest.raises(DataError, match="groups has 3 rows, texts has 1"):
        Sentences(["a"], groups=Groups.of(["a", "b", "c"]))


def test_roles_are_one_a_column() -> None:
    assert Pairs(["a"], ["b"]).roles == (None, None)
    with pytest.raises(DataError, match="1 roles for 2 columns"):
        Pairs(["a"], ["b"], roles=("query",))


def test_difference_in_values_or_roles_is_seen() -> None:
    one = ScoredPairs(["a"], ["b"], [1.0])
    assert one == ScoredPairs(["a"], ["b"], [1.0])
    assert one != ScoredPairs(["a"], ["b"], [1.5])
    assert one != ScoredPairs(["a"], ["b"], [1.0], roles=("query", "document"))
    assert Pairs(["a"], ["b"]) != one
