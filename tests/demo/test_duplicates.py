from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinset.demo import duplicates
from twinset.demo.duplicates import Known, normalised

TEXTS = st.lists(st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), max_size=7).map(" ".join), max_size=6)


def _pairs(text: str) -> set[tuple[str, str]]:
    words = ["<", *text.split(), ">"]
    return {(words[place], words[place + 1]) for place in range(len(words) - 1)}


def _near(one: str, other: str) -> bool:
    """The formula, for two texts."""
    if not one or not other:
        return False
    first, second = _pairs(one), _pairs(other)
    return len(first & second) / len(first | second) >= 0.5


@given(TEXTS, TEXTS)
def test_equals_the_formula(known: list[str], asked: list[str]) -> None:
    expected = [any(_near(text, other) for other in known) for text in asked]
    assert Known(known).holds(asked).tolist() == expected


def test_by_hand() -> None:
    known = Known(["a b c d e"])
    # 6 pairs; with one word of five exchanged 4 are shared of 8, with two neighbours 3 of 9.
    assert known.holds(["a b x d e", "a b x y e", "A, b: C d e!", "a b c d e"]).tolist() == [
        True,
        False,
        True,
        True,
    ]


def test_many_texts_are_looked_at_in_portions() -> None:
    texts = [f"number {number} of a kind" for number in range(1100)]
    assert Known(texts[::2]).holds([f"w{number} x{number}" for number in range(1100)]).sum() == 0
    assert Known(texts).holds(texts).all()


def test_normalised() -> None:
    assert normalised("The  Cat_sat, on: the MAT!") == "the cat sat on the mat"
    assert normalised("Čeština, ελληνικά") == "čeština ελληνικά"


@pytest.mark.parametrize("known", [[], ["", "..."]])
def test_nothing_is_known(known: list[str]) -> None:
    assert Known(known).holds(["a text", "", "..."]).tolist() == [False] * 3


def test_example() -> None:
    assert doctest.testmod(duplicates).failed == 0
