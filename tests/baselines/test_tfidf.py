from __future__ import annotations

import doctest
import math
from collections import Counter

import numpy as np
import pytest

from twinset.baselines import TfIdf, tfidf

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
