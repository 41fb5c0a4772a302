from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.demo.asked import ASKED
from twinset.demo.together import WEIGHTS, best_weight, standardised, together


def test_standardised_by_hand() -> None:
    # 1, 2, 3: mean 2, standard deviation sqrt(2 / 3)
    found = standardised(np.array([[1.0, 2.0, 3.0]]), [-1])
    assert found[0] == pytest.approx([-np.sqrt(1.5), 0, np.sqrt(1.5)])


def test_the_question_itself_is_left_out_of_mean_and_spread() -> None:
    found = standardised(np.array([[1.0, 99.0, 2.0, 3.0]]), [1])
    assert found[0] == pytest.approx([-np.sqrt(1.5), 0, 0, np.sqrt(1.5)])


def test_equal_scores_say_nothing() -> None:
    assert standardised(np.array([[0.1] * 7, [0.0] * 7]), [-1, -1]).tolist() == [[0.0] * 7] * 2


def test_scale_and_level_of_a_ranking_do_not_matter() -> None:
    generator = np.random.default_rng(1)
    encoder, words = generator.normal(size=(2, 4)), generator.random((2, 4))
    one = together(encoder, words, ASKED, 0.3)
    np.testing.assert_allclose(together(5 * encoder - 2, 0.1 * words + 7, ASKED, 0.3), one, atol=1e-12)
    expected = 0.3 * standardised(encoder, ASKED.own) + 0.7 * standardised(words, ASKED.own)
    np.testing.assert_allclose(one, expected)


RIGHT = np.array([[9.0, 1.0, 9.0, 2.0], [1.0, 2.0, 0.0, 9.0]])


def test_the_weight_that_is_best_wins() -> None:
    assert best_weight(RIGHT, -RIGHT, ASKED) > 0.5
    assert best_weight(-RIGHT, RIGHT, ASKED) == 0
    # Each knows one question: only both together know the two.
    blind = replace(ASKED, right=((0,), (3,)))
    one = np.array([[9.0, 0, 0, 0], [1.0, 0.5, 0, 0.9]])
    other = np.array([[0.9, 1.0, 0, 0.5], [0, 0, 0, 9.0]])
    assert 0 < best_weight(one, other, blind) < 1


def test_of_equals_the_smallest() -> None:
    assert best_weight(RIGHT, RIGHT, ASKED) == 0
    assert (WEIGHTS[0], WEIGHTS[-1], len(WEIGHTS)) == (0, 1, 21)
