from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from twinset.data import Groups, LabelledPairs, RankedLists, Texts
from twinset.errors import DataError


@pytest.fixture
def lists() -> RankedLists:
    return RankedLists(["q0", "q1", "q2"], ["a", "b", "c", "d"], [1, 0, 1, 2], [1, 0, 2, 1])


def test_rows_pair_a_query_with_a_candidate(lists: RankedLists) -> None:
    queries, candidates = lists.columns
    assert list(queries) == ["q1", "q0", "q1", "q2"]
    assert list(candidates) == ["a", "b", "c", "d"]
    assert lists.roles == ("query", "document")
    assert lists.scores.tolist() == [1, 0, 2, 1]


def test_walks_by_query(lists: RankedLists) -> None:
    walked = [
        (each.query, list(each.candidates), each.relevance.tolist(), each.rows.tolist())
        for each in lists.lists()
    ]
    assert walked == [("q0", ["b"], [0], [1]), ("q1", ["a", "c"], [1, 2], [0, 2]), ("q2", ["d"], [1], [3])]


def test_taking_keeps_only_the_queries_it_needs(lists: RankedLists) -> None:
    taken = lists.take([2, 3])
    assert list(taken.queries) == ["q1", "q2"]
    assert taken.query_of.tolist() == [0, 1]


def test_a_random_split_keeps_a_querys_candidates_together() -> None:
    data = RankedLists(
        [f"q{i}" for i in range(20)], [f"c{i}" for i in range(100)], np.arange(100) % 20, np.zeros(100)
    )
    sides = data.split(sizes=(0.5, 0.5), seed=3)
    assert [len(side) for side in sides] == [50, 50]
    assert not set(sides[0].queries) & set(sides[1].queries)


def test_labelled_pairs_are_candidates_of_a_query() -> None:
    pairs = LabelledPairs(
        Texts(["q", "r", "q", "r"]),
        Texts(["a", "b", "c", "d"]),
        np.array([0, 2, 1, 0]),
        ("no", "half", "yes"),
    )
    lists = RankedLists.of_labels(pairs, ("yes", "half"))
    assert [(each.query, list(each.candidates), each.relevance.tolist()) for each in lists.lists()] == [
        ("q", ["a", "c"], [0, 1]),
        ("r", ["b", "d"], [1, 0]),
    ]
    # Two threads may ask the same thing: groups tell them apart.
    threads = replace(pairs, groups=Groups.of(["1", "2", "3", "2"]))
    assert list(RankedLists.of_labels(threads, ("yes",)).queries) == ["q", "r", "q"]
    with pytest.raises(DataError, match="label 'Good' is none of no, half, yes"):
        RankedLists.of_labels(pairs, ("Good",))


def test_query_of_must_point_at_a_query() -> None:
    with pytest.raises(DataError, match="outside the 1 queries"):
        RankedLists(["q"], ["a"], [1], [1])
