from __future__ import annotations

import doctest
import math
from collections import Counter

import numpy as np
import pytest

from twinset.baselines import TfIdf, tfidf
from twinset.errors import RequestError

DOCUMENTS = ["the cat sat on the mat", "the dog", "the dog chased the cat and the dog", "rain"]


def _vector(text: str, *, sublinear: bool) -> dict[str, float]:
    found: dict[str, float] = {}
    for word, often in Counter(text.split()).items():
        holding = sum(word in other.split() for other in DOCUMENTS)
        if holding:
            weight = 1 + math.log(often) if sublinear else often
            found[word] = weight * (math.log((1 + len(DOCUMENTS)) / (1 + holding)) + 1)
    length = math.sqrt(sum(value**2 for value in found.values())) or 1
    return {word: value / length for word, value in found.items()}


@pytest.mark.parametrize("sublinear", [False, True])
def test_equals_the_loop_over_the_formula(sublinear: bool) -> None:
    queries = ["the dog", "dog dog cat", "snow", "mat rain the the the"]
    documents = [_vector(text, sublinear=sublinear) for text in DOCUMENTS]
    expected = [
        [sum(value * document.get(word, 0) for word, value in query.items()) for document in documents]
        for query in (_vector(text, sublinear=sublinear) for text in queries)
    ]
    found = TfIdf(DOCUMENTS, sublinear=sublinear).scores(queries)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_no_shared_word_is_nothing() -> None:
    assert TfIdf(DOCUMENTS).scores(["snow", ""]).tolist() == [[0.0] * 4] * 2


def test_example() -> None:
    assert doctest.testmod(tfidf).failed == 0


def test_cosines_of_what_it_encodes_are_its_scores() -> None:
    queries = ["the dog", "dog dog cat", "snow", ""]
    system = TfIdf(DOCUMENTS)
    queried, kept = system.encode(queries), system.encode(DOCUMENTS)
    np.testing.assert_allclose(queried @ kept.T, system.scores(queries), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(kept, axis=1), 1, atol=1e-6)
    assert queried.dtype == np.float32


@pytest.mark.parametrize("sublinear", [False, True])
def test_vectors_are_scikit_learns(sublinear: bool) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    expected = TfidfVectorizer(sublinear_tf=sublinear).fit(DOCUMENTS)
    others = ["a cat and a dog, and snow", "the the mat"]
    found = TfIdf(DOCUMENTS, sublinear=sublinear).encode(others)
    np.testing.assert_allclose(found, expected.transform(others).toarray(), atol=1e-6)


def test_fewer_columns_where_asked_for() -> None:
    system = TfIdf(DOCUMENTS, columns=4)
    assert system.encode(DOCUMENTS).shape == (4, 4)
    assert system.name == "TF-IDF, 4 columns"
    assert TfIdf(DOCUMENTS, columns=99).name == TfIdf(DOCUMENTS).name == "TF-IDF"


def test_one_text_is_not_taken_for_many() -> None:
    with pytest.raises(RequestError, match="put it in a list"):
        TfIdf("the cat")
    with pytest.raises(RequestError, match="put it in a list"):
        TfIdf(DOCUMENTS).encode("the cat")
