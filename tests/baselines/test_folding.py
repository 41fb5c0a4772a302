from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from twinset.baselines import folding
from twinset.baselines.folding import Folding, named
from twinset.errors import RequestError

FREQUENCY = np.array([1, 9, 2, 8, 7])  # by rank: words 1, 3, 4, 2, 0


def _columns(frequency: np.ndarray, columns: int, seed: int = 0) -> np.ndarray:
    return Folding(frequency, columns, seed=seed).dense(sparse.eye_array(len(frequency), format="csr"))


def test_without_folding_every_word_keeps_its_column() -> None:
    weights = sparse.csr_matrix([[0.0, 2.0, 0.5, 0.0, 0.0]])
    for columns in (None, 5, 9):
        made = Folding(FREQUENCY, columns, seed=0)
        assert made.dense(weights).tolist() == [[0, 2, 0.5, 0, 0]]
        assert not made.folded
    assert made.dense(weights).dtype == np.float32


def test_words_are_dealt_by_frequency() -> None:
    found = np.abs(_columns(FREQUENCY, 3))
    assert found.argmax(axis=1).tolist() == [1, 0, 0, 1, 2]  # ranks 4, 0, 3, 1, 2, modulo 3
    assert found.sum(axis=1).tolist() == [1] * 5


def test_words_of_columns_of_their_own_keep_their_dot_products() -> None:
    weights = np.array([[0, 2, 0, 1, 3], [0, 5, 0, 0, 1]])  # the three most frequent words only
    found = Folding(FREQUENCY, 3, seed=0).dense(sparse.csr_matrix(weights))
    np.testing.assert_allclose(found @ found.T, weights @ weights.T)


def test_dot_products_are_right_on_average() -> None:
    first, second = np.array([1, 2, 3, 4, 5]), np.array([5, 4, 3, 2, 1])
    folded = [_columns(FREQUENCY, 2, seed) for seed in range(400)]
    found = np.mean([(first @ each) @ (second @ each) for each in folded])
    assert found == pytest.approx(first @ second, abs=3)


def test_the_signs_follow_from_the_seed() -> None:
    assert _columns(FREQUENCY, 3).tolist() == _columns(FREQUENCY, 3).tolist()
    assert len({_columns(FREQUENCY, 3, seed).tobytes() for seed in range(8)}) > 1


def test_too_large_an_array_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "LARGEST", 2 * 5 * 4)
    made = Folding(FREQUENCY, None, seed=0)
    assert made.dense(sparse.csr_matrix((2, 5))).shape == (2, 5)
    with pytest.raises(RequestError, match=r"3 texts with a column for each of 5 words .* columns=4096"):
        made.dense(sparse.csr_matrix((3, 5)))


def test_a_name_says_what_must_be_known() -> None:
    whole, folded = Folding(FREQUENCY, None, seed=0), Folding(FREQUENCY, 3, seed=0)
    assert named("words", whole, None) == "words"
    assert named("words", folded, "the test") == "words, 3 columns (fitted on the test)"


def test_no_column_is_none() -> None:
    with pytest.raises(RequestError, match="columns: 0 is not above 0"):
        Folding(FREQUENCY, 0, seed=0)
