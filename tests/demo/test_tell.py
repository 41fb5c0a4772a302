from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from twinset.demo.library import topics
from twinset.demo.retrieval import Found
from twinset.demo.story import Story
from twinset.demo.tell import told


def _story(before: int, after: int) -> Story:
    count = len(topics())
    found = Found(ranks=(before,) * count, nearest=("x",) * count)
    return Story(
        topics=topics(),
        before=found,
        after=replace(found, ranks=(after,) * count),
        updates=10,
        seconds=1.0,
        folder=Path("demo"),
    )


def test_a_gain_is_called_one() -> None:
    text = told(_story(2, 1))
    assert "It got better: 20 of the new questions moved up, 0 down." in text
    assert "so it is hardly chance" in text


def test_a_loss_is_not_hidden() -> None:
    text = told(_story(1, 3))
    assert "It did not get better: 0 of the new questions moved up, 20 down." in text
    assert "wrong; the first right one is number 3" in text


def test_no_change_is_no_proof() -> None:
    text = told(_story(2, 2))
    assert "It did not get better" in text
    assert "in 100 of 100 tries, so it is no proof" in text


def test_the_limits_are_said() -> None:
    assert "20 questions are few (one is 5 points)" in told(_story(1, 1))
