from __future__ import annotations

from dataclasses import replace

from tests.demo.asked import ANGLES, ASKED, Angles
from twinset.demo.examples import Answer, Found, examples
from twinset.demo.judge import Cosines, judged

BEFORE = Cosines(Angles(), [ASKED])  # type: ignore[arg-type]
AFTER = Cosines(Angles({**ANGLES, "question two": 101}), [ASKED])  # type: ignore[arg-type]


def test_the_middle_question_whatever_is_found() -> None:
    (example,) = examples([ASKED], AFTER, BEFORE)
    assert (example.package, example.asked, example.candidates) == ("pk", "question two", 4)
    assert example.right == "summary four"
    three = replace(
        ASKED,
        asked=("question two", "question one", "question two"),
        right=((3,), (0, 2), (3,)),
        own=(-1,) * 3,
    )
    assert examples([three], BEFORE, AFTER)[0].asked == "question one"


def test_the_first_answers_and_the_rank_of_the_right_one() -> None:
    one = replace(ASKED, asked=("question one",), right=((0, 2),), own=(-1,))
    (example,) = examples([one], BEFORE, AFTER)
    # at 0: two (10), one (20), three (40), four (100)
    assert example.before == Found(
        answers=(
            Answer(text="summary two", right=False),
            Answer(text="summary one", right=True),
            Answer(text="summary three", right=True),
        ),
        rank=2,
    )
    assert example.before.rank == 1 / judged(BEFORE.scores(one), one)[0]


def test_of_equals_the_wrong_ones_stand_in_front() -> None:
    level = Cosines(Angles(dict.fromkeys(ANGLES, 0.0)), [ASKED])  # type: ignore[arg-type]
    (example,) = examples([ASKED], level, level)
    assert example.before.rank == 4


def test_a_set_without_questions_gives_no_example() -> None:
    nothing = replace(ASKED, asked=(), right=(), own=(), files=())
    assert examples([nothing], BEFORE, AFTER) == ()
