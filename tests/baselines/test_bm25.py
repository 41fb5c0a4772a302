from __future__ import annotations

import doctest
import math
from collections import Counter

import numpy as np
import pytest

from twinset.baselines import BM25, bm25
from twinset.errors import RequestError

DOCUMENTS = ["the cat sat on the mat", "the dog", "a dog chased the cat and the dog", "rain"]


def _loop(queries: list[str], documents: list[str], k1: float, b: float) -> list[list[float]]:
    """The formula, word by word; "a" is no word of two letters."""
    words = [[word for word in text.split() if len(word) > 1] for text in documents]
    mean = sum(map(len, words)) / len(words)
    rows: list[list[float]] = []
    for query in queries:
        row: list[float] = []
        for document in words:
            score = 0.0
            for word in (word for word in query.split() if len(word) > 1):
                holding = sum(word in other for other in words)
                idf = math.log(1 + (len(words) - holding + 0.5) / (holding + 0.5))
                often = Counter(document)[word]
                norm = k1 * (1 - b + b * len(document) / mean)
                score += idf * often * (k1 + 1) / (often + norm) if often else 0
            row.append(score)
        rows.append(row)
    return rows


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.0, 0.5), (2.0, 0.0), (1.2, 1.0)])
def test_equals_the_loop_over_the_formula(k1: float, b: float) -> None:
    queries = ["the dog", "dog dog cat", "snow", "mat and rain"]
    found = BM25(DOCUMENTS, k1=k1, b=b).scores(queries)
    np.testing.assert_allclose(found, _loop(queries, DOCUMENTS, k1, b), atol=1e-12)


def test_a_value_worked_out_by_hand() -> None:
    # "rain" stands once, in one of four documents, which have 6, 2, 7 and 1 words: 4 on average.
    expected = math.log(1 + 3.5 / 1.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 / 4))
    assert BM25(DOCUMENTS).scores(["rain"])[0, 3] == pytest.approx(expected, abs=1e-12)


def test_example() -> None:
    assert doctest.testmod(bm25).failed == 0


@pytest.mark.parametrize(("k1", "b"), [(-1, 0.5), (1, 1.5), (1, -0.1)])
def test_settings_that_cannot_be(k1: float, b: float) -> None:
    with pytest.raises(RequestError, match="k1 must not be below 0"):
        BM25(DOCUMENTS, k1=k1, b=b)


def test_dot_products_of_queries_and_documents_are_its_scores() -> None:
    queries = ["the dog", "dog dog cat", "snow", ""]
    system = BM25(DOCUMENTS, k1=1.5, b=0.4)
    found = system.encode_query(queries) @ system.encode_document(DOCUMENTS).T
    np.testing.assert_allclose(found, system.scores(queries), atol=1e-5)
    assert found.dtype == np.float32


def test_another_document_is_weighed_by_the_fitted_ones() -> None:
    # "dog" stands in two of four documents; this one has two known words, and the mean is four.
    found = BM25(DOCUMENTS).encode_document(["dog snow cat"])
    expected = math.log(1 + 2.5 / 2.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 4))
    np.testing.assert_allclose(found[found > 0], [expected, expected], rtol=1e-6)


def test_a_text_that_is_no_query_is_a_document() -> None:
    system = BM25(DOCUMENTS)
    assert system.encode(DOCUMENTS).tolist() == system.encode_document(DOCUMENTS).tolist()


def test_fewer_columns_where_asked_for() -> None:
    system = BM25(DOCUMENTS, columns=4)
    assert system.encode_query(["rain"]).shape == system.encode_document(["rain"]).shape == (1, 4)
    assert system.name == "BM25, 4 columns"
    own = system.encode_query(["rain"]) @ system.encode_document(DOCUMENTS).T
    assert own[0, 3] == pytest.approx(system.scores(["rain"])[0, 3])
