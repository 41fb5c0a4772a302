from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from tests.demo.asked import ASKED, Angles
from tests.encoder.tiny import tiny_encoder
from twinset.demo.judge import Cosines, judged


def test_one_answer_is_scored_by_its_rank() -> None:
    scores = np.array([[0.1, 0.9, 0.5, 0.2], [0.4, 0.3, 0.2, 0.1]])
    # right are (0, 2) and (3,)
    assert judged(scores, ASKED).tolist() == [1 / 2, 1 / 4]


def test_lists_are_scored_by_average_precision() -> None:
    scores = np.array([[0.3, 0.9, 0.5, 0.2], [0.4, 0.3, 0.2, 0.1]])
    lists = replace(ASKED, kind="see_also")
    assert judged(scores, lists) == pytest.approx([(1 / 2 + 2 / 3) / 2, 1 / 4])


def test_the_question_itself_does_not_count() -> None:
    scores = np.array([[0.1, 0.9, 0.5, 0.2], [0.4, 0.3, 0.2, 0.1]])
    assert judged(scores, replace(ASKED, own=(1, 0))).tolist() == [1, 1 / 3]


class _Counted:
    """Counts what it is asked to encode."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Iterable[str], **settings: object) -> np.ndarray:
        self.seen += list(texts)
        return Angles().encode(self.seen, **settings)


def test_cosines_are_those_of_the_encoder_whatever_the_set() -> None:
    encoder = tiny_encoder("bert")
    other = replace(ASKED, asked=("summary two",), right=((1,),), own=(-1,), files=("f",))
    ranked = Cosines(encoder, [ASKED, other])
    for each in (ASKED, other):
        expected = encoder.similarity(encoder.encode(each.asked), encoder.encode(each.candidates))
        np.testing.assert_allclose(ranked.scores(each), expected, atol=1e-5)


def test_every_distinct_text_is_encoded_once() -> None:
    encoder = _Counted()
    Cosines(encoder, [ASKED, ASKED])  # type: ignore[arg-type]
    assert sorted(encoder.seen) == sorted({*ASKED.asked, *ASKED.candidates})
