from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from twinset.data import kinds
from twinset.data.request import Request, as_columns, find
from twinset.errors import DataError, RequestError

if TYPE_CHECKING:
    from twinset.data.kinds import Kind


@pytest.mark.parametrize("kind", [kinds.PAIRS, kinds.TRIPLES, kinds.SENTENCES, kinds.RANKED_LISTS])
def test_every_known_family_is_found_whatever_its_case_and_company(kind: Kind) -> None:
    for family in kind.families:
        names = [f" {name.upper()}" for name in family]
        others = ["row_number", *(kind.values[:1])]
        chosen = Request(kind=kind).choose([*others, *names], "f.csv")
        assert chosen.texts == tuple(names)


def test_values_and_groups_are_found_beside_the_texts() -> None:
    chosen = Request(kind=kinds.SCORED_PAIRS).choose(["subset", "score", "sentence2", "sentence1"], "f")
    assert chosen.texts == ("sentence1", "sentence2")
    assert (chosen.value, chosen.groups) == ("score", "subset")
    assert set(chosen.every) == {"sentence1", "sentence2", "score", "subset"}


def test_named_columns_come_in_the_order_named() -> None:
    request = Request(kind=kinds.SCORED_PAIRS, columns=("body", 0, "gold"))
    chosen = request.choose(["title", "body", "gold"], "f")
    assert chosen.texts == ("body", "title")
    assert chosen.value == "gold"


def test_roles_follow_from_names_that_speak_of_them() -> None:
    assert Request(kind=kinds.PAIRS).choose(["question", "answer"], "f").roles == ("query", "document")
    assert Request(kind=kinds.PAIRS).choose(["sentence1", "sentence2"], "f").roles == ()


def test_wrong_names_are_listed_with_the_nearest() -> None:
    with pytest.raises(
        DataError, match=r"f.csv: no column 'titel'; it has 'title', 'body'. Did you mean 'title'\?"
    ):
        find(["title", "body"], "titel", "f.csv")
    with pytest.raises(DataError, match="no column 7; it has 2, counted from 0"):
        find(["title", "body"], 7, "f.csv")
    with pytest.raises(DataError, match="2 columns are named 'a'"):
        find(["a", "a"], "a", "f.csv")
    with pytest.raises(
        DataError, match=r"among 'sentence1', 'sentense2'; .* Did you mean 'sentense2'\?.*columns="
    ):
        Request(kind=kinds.PAIRS).choose(["sentense2", "sentence1"][::-1], "f.csv")
    with pytest.raises(DataError, match="no column of scores for scored pairs"):
        Request(kind=kinds.SCORED_PAIRS).choose(["sentence1", "sentence2"], "f.csv")


def test_nameless_columns_are_taken_when_their_number_fits() -> None:
    assert Request(kind=kinds.SCORED_PAIRS).choose(["0", "1", "2"], "f").value == "2"
    with pytest.raises(DataError, match=r"positions, counted from 0, such as columns=\(0, 1\)"):
        Request(kind=kinds.PAIRS).choose(["0", "1", "2"], "f")


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(RequestError, match=r"pairs take 2 .first, second.; 1 given"):
        Request(kind=kinds.PAIRS, columns=as_columns("body"))
    with pytest.raises(RequestError, match="limit=0"):
        Request(kind=kinds.PAIRS, limit=0)
