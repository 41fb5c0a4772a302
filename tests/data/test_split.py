from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twinset.data import Groups, Pairs, Sentences, split
from twinset.data.components import row_components
from twinset.errors import DataError, RequestError


def rows(side: Sentences) -> list[int]:
    return [int(text) for text in side.texts]


@given(st.integers(10, 200), st.integers(0, 5))
def test_random_sides_are_a_partition_of_the_sizes_asked_for(count: int, seed: int) -> None:
    sides = split(Sentences([str(i) for i in range(count)]), sizes=(0.6, 0.2, 0.2), seed=seed)
    assert sorted(row for side in sides for row in rows(side)) == list(range(count))
    assert all(rows(side) == sorted(rows(side)) for side in sides)
    for side, share in zip(sides, (0.6, 0.2, 0.2), strict=True):
        assert abs(len(side) - share * count) <= 1


def test_the_seed_alone_decides() -> None:
    data = Sentences([str(i) for i in range(100)])
    np.random.seed(1)  # noqa: NPY002  (the global state must not matter)
    first = split(data, seed=7)
    np.random.seed(2)  # noqa: NPY002
    assert first == split(data, seed=7)
    assert first != split(data, seed=8)


@given(
    st.lists(st.tuples(st.integers(0, 150), st.integers(0, 150)), min_size=40, max_size=120),
    st.integers(0, 3),
)
def test_no_text_is_on_two_sides_of_a_component_split(links: list[tuple[int, int]], seed: int) -> None:
    pairs = Pairs([f"t{a}" for a, _ in links], [f"t{b}" for _, b in links])
    largest = np.bincount(row_components(pairs.columns)).max()
    assume(largest <= np.ceil(len(pairs) / 2 - 1))
    sides = pairs.split(by="component", sizes=(0.5, 0.5), seed=seed)
    assert sum(len(side) for side in sides) == len(pairs)
    texts = [set(side.first) | set(side.second) for side in sides]
    assert not texts[0] & texts[1]


def test_component_sizes_are_met_when_there_are_single_rows_enough() -> None:
    first = [f"hub{i // 5}" for i in range(50)] + [f"a{i}" for i in range(50)]
    sides = Pairs(first, [f"b{i}" for i in range(100)]).split(by="component", seed=1)
    assert [len(side) for side in sides] == [80, 10, 10]


def components(*sizes: int) -> Pairs:
    """Components of so many rows each."""
    hubs = [f"hub{number}" for number, size in enumerate(sizes) for _ in range(size)]
    return Pairs(hubs, [f"b{i}" for i in range(len(hubs))])


def test_large_components_reach_small_sides_too() -> None:
    pairs = components(20, 20, 20, *[1] * 140)
    for seed in range(5):
        sides = pairs.split(by="component", sizes=(0.7, 0.3), seed=seed)
        assert [len(side) for side in sides] == [140, 60]
    small = [pairs.split(by="component", sizes=(0.7, 0.3), seed=seed)[1] for seed in range(12)]
    assert any({"hub0", "hub1", "hub2"} & set(side.first) for side in small)


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_blocks_find_room_first(seed: int) -> None:
    sides = components(2, 2, 2, 2, 2, 10).split(by="component", sizes=(0.5, 0.5), seed=seed)
    assert [len(side) for side in sides] == [10, 10]


@pytest.mark.parametrize("seed", range(20))
def test_no_side_is_overfilled_while_another_has_room(seed: int) -> None:
    sides = components(*[3] * 30, *[1] * 10).split(by="component", seed=seed)
    assert [len(side) for side in sides] == [80, 10, 10]


def test_groups_stay_together() -> None:
    names = [f"thread{i % 20}" for i in range(200)]
    data = Sentences([str(i) for i in range(200)], groups=Groups.of(names))
    for sides in (data.split(by="group"), split(data, by="group", groups=names)):
        seen = [{names[row] for row in rows(side)} for side in sides]
        assert [len(side) for side in sides] == [160, 20, 20]
        assert not seen[0] & seen[1]
        assert not seen[0] & seen[2]
        assert not seen[1] & seen[2]


def test_groups_given_go_before_the_datas_own() -> None:
    own, given = ["own"] * 40, [f"thread{i // 2}" for i in range(40)]
    data = Sentences([str(i) for i in range(40)], groups=Groups.of(own))
    one, other = data.split(by="group", sizes=(0.5, 0.5), groups=given)
    assert not {given[row] for row in rows(one)} & {given[row] for row in rows(other)}


def test_a_component_larger_than_every_side_is_refused() -> None:
    pairs = Pairs(["hub"] * 9 + ["x"], [str(i) for i in range(10)])
    with pytest.raises(
        DataError, match=r"largest component .* has 9 of 10 rows, .* side \(8\).*row 1 \('hub'\)"
    ):
        pairs.split(by="component")


def test_more_sides_than_groups_are_refused() -> None:
    with pytest.raises(DataError, match=r"side [12] of 3 would be empty|side 3 of 3 would be empty"):
        Sentences(["a", "b", "c", "d"]).split(
            by="group", sizes=(0.5, 0.25, 0.25), groups=["x", "x", "y", "y"]
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sizes": (0.8, 0.3)}, "sum to 1"),
        ({"sizes": (1.2, -0.2)}, "above 0"),
        ({"by": "words"}, "'words' is none of"),
        ({"by": "group"}, "needs groups="),
        ({"by": "group", "groups": ["x"]}, "1 values for 4 rows"),
    ],
)
def test_wrong_requests_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        Sentences(["a", "b", "c", "d"]).split(**arguments)
