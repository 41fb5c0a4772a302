from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from twinset.baselines import Sif, WordAverage, WordVectors
from twinset.errors import RequestError

WORDS = {"the": [1.0, 0.0, 2.0], "cat": [0.0, 2.0, 1.0], "dog": [4.0, 4.0, 0.0], "mat": [1.0, 1.0, 1.0]}
TABLE = WordVectors(
    {word: row for row, word in enumerate(WORDS)}, np.array(list(WORDS.values()), np.float32), name="words"
)
TEXTS = ["the cat", "the dog and the cat", "the mat", "dog dog mat"]


def _sif(texts: Sequence[str], fitted: Sequence[str], a: float, *, remove: bool) -> np.ndarray:
    """The paper's algorithm as a double loop."""
    counts = Counter(word for text in fitted for word in text.split() if word in WORDS)

    def means(given: Sequence[str]) -> np.ndarray:
        rows = []
        for text in given:
            known = [word for word in text.split() if word in WORDS]
            total = np.zeros(3)
            for word in known:
                total += a / (a + counts[word] / sum(counts.values())) * np.array(WORDS[word])
            rows.append(total / max(len(known), 1))
        return np.array(rows)

    if not remove:
        return means(texts)
    u = np.linalg.svd(means(fitted), full_matrices=False)[2][0]
    return np.array([row - u * (u @ row) for row in means(texts)])


def test_means_worked_out_by_hand() -> None:
    found = WordAverage(TABLE).encode(["the cat", "dog snow dog", "The mat"])
    assert found.tolist() == [[0.5, 1, 1.5], [4, 4, 0], [1, 0.5, 1.5]]
    assert found.dtype == np.float32
    assert WordAverage(TABLE).name == "words"


@pytest.mark.parametrize("remove", [False, True])
def test_sif_equals_the_loop_over_the_paper(remove: bool) -> None:
    system = WordAverage(TABLE, TEXTS, sif=Sif(a=0.1, components=int(remove)))
    others = ["mat mat", "a cat", *TEXTS]
    np.testing.assert_allclose(
        system.encode(others), _sif(others, TEXTS, 0.1, remove=remove), rtol=1e-5, atol=1e-6
    )
    assert system.name == "words, SIF (fitted on 4 texts)"


def test_what_was_taken_away_is_gone() -> None:
    found = WordAverage(TABLE, TEXTS, sif=Sif()).encode(["cat", "dog", "the mat"])
    assert np.linalg.matrix_rank(found, tol=1e-5) == 2


def test_unknown_words_are_skipped_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        found = WordAverage(TABLE).encode(["snow", "the snow", ""])
    assert found.tolist() == [[0, 0, 0], [1, 0, 2], [0, 0, 0]]
    assert caplog.messages == ["words: 2 of 3 words have no vector and are skipped"]


def test_nothing_is_told_where_every_word_is_known(caplog: pytest.LogCaptureFixture) -> None:
    assert WordAverage(TABLE).encode(["the cat"]).shape == (1, 3)
    assert WordAverage(TABLE).encode([]).shape == (0, 3)
    assert caplog.messages == []


def test_sif_needs_texts() -> None:
    for texts in (None, []):
        with pytest.raises(RequestError, match="sif: give the texts whose words are counted"):
            WordAverage(TABLE, texts, sif=Sif())


def test_the_order_of_words_does_not_matter() -> None:
    first, second = WordAverage(TABLE, TEXTS, sif=Sif()).encode(["the dog the cat", "cat the the dog"])
    np.testing.assert_allclose(first, second, atol=1e-6)
