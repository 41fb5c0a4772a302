from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinset.data import Texts, text_ids
from twinset.errors import DataError

SOUND = st.text(alphabet=st.characters(exclude_categories=["Cs"]))


@given(st.lists(SOUND))
def test_holds_what_it_was_given(values: list[str]) -> None:
    texts = Texts(iter(values))
    assert list(texts) == values
    assert len(texts) == len(values)
    assert [texts[i] for i in range(len(values))] == values


@given(st.lists(SOUND, min_size=1), st.data())
def test_takes_as_a_list_would(values: list[str], data: st.DataObject) -> None:
    texts = Texts(values)
    rows = data.draw(st.lists(st.integers(-len(values), len(values) - 1)))
    taken = texts.take(np.array(rows, dtype=np.int64))
    assert isinstance(taken, Texts)
    assert list(taken) == [values[i] for i in rows]
    cut = data.draw(st.slices(len(values)))
    assert list(texts[cut]) == values[cut]


def test_a_mask_takes_rows_that_are_true() -> None:
    assert list(Texts(["a", "b", "c"]).take(np.array([True, False, True]))) == ["a", "c"]
    with pytest.raises(IndexError, match="mask"):
        Texts(["a", "b"]).take(np.array([True]))


def test_rows_beyond_the_end_and_fractions_are_refused() -> None:
    with pytest.raises(IndexError, match="of 2"):
        Texts(["a", "b"]).take([2])
    with pytest.raises(IndexError):
        Texts(["a", "b"])[2]
    with pytest.raises(TypeError, match="float64"):
        Texts(["a", "b"]).take(np.array([0.0]))


@given(st.lists(st.sampled_from("abcd")))
def test_ids_are_equal_where_texts_are(values: list[str]) -> None:
    ids = Texts(values).ids()
    assert ids.dtype == np.int64
    assert ids.tolist() == [list(dict.fromkeys(values)).index(value) for value in values]
    assert list(Texts(values).unique()) == list(dict.fromkeys(values))


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("bcde")))
def test_ids_are_shared_over_columns(one: list[str], other: list[str]) -> None:
    first, second = text_ids(Texts(one), Texts(other))
    assert (len(first), len(second)) == (len(one), len(other))
    number = dict(zip(one + other, [*first.tolist(), *second.tolist()], strict=True))
    assert len(set(number.values())) == len(number)
    assert first.tolist() == [number[value] for value in one]
    assert second.tolist() == [number[value] for value in other]


def test_memory_is_that_of_the_bytes_not_of_objects() -> None:
    count = 300_000
    tracemalloc.start()
    texts = Texts(f"this is sentence number {i} of a great many" for i in range(count))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(texts) == count
    assert peak < 4_000_000  # as a list of str: about 28 MB
    assert texts.nbytes < count * 56


def test_a_slice_shares_the_buffer() -> None:
    texts = Texts([f"text {i}" for i in range(10_000)])
    assert texts[100:200].arrow.buffers()[2].address == texts.arrow.buffers()[2].address


def test_equality_and_looks() -> None:
    assert Texts(["a", "b"]) == Texts(pa.chunked_array([["a"], ["b"]]))
    assert Texts(["a", "b"]) != Texts(["a", "c"])
    assert "b" in Texts(["a", "b"])
    assert "c" not in Texts(["a", "b"])
    assert repr(Texts(["a", "b", "c", "d"])) == "Texts(4: 'a', 'b', 'c', ...)"
    assert Texts(["ab", "\u4f60\u597d!"]).lengths().tolist() == [2, 3]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a", 3], "item 2 is a int, not a text"),
        ("abc", "put it in a list"),
        (pa.array(["a", None]), "item 2 is null"),
        (["a", "\ud800"], "half a character"),
    ],
)
def test_what_is_no_text_is_refused(values: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Texts(values)
