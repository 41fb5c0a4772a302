"""Searches to look at. Which ones is settled before anything is trained, by a rule that knows no result: of
each held-out package the description in the middle of its questions, in the order of its files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twinset.demo.judge import Cosines
from twinset.demo.questions import Questions

SHOWN = 3
RULE = "the description in the middle of each package, picked before the training"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A summary that was found, and whether it is a right one."""

    text: str
    right: bool


@dataclass(frozen=True, kw_only=True)
class Found:
    """What one encoder finds: its first answers, and the rank of the first right one."""

    answers: tuple[Answer, ...]
    rank: int


@dataclass(frozen=True, kw_only=True)
class Example:
    """One question, its answer, and what is found before and after."""

    package: str
    asked: str
    right: str
    candidates: int
    before: Found
    after: Found


def examples(sets: Sequence[Questions], raw: Cosines, trained: Cosines) -> tuple[Example, ...]:
    """One for each set of questions that asks anything."""
    return tuple(_example(each, len(each) // 2, raw, trained) for each in sets if len(each))


def _example(questions: Questions, row: int, raw: Cosines, trained: Cosines) -> Example:
    return Example(
        package=questions.package,
        asked=questions.asked[row],
        right=questions.candidates[questions.right[row][0]],
        candidates=len(questions.candidates),
        before=_found(questions, row, raw),
        after=_found(questions, row, trained),
    )


def _found(questions: Questions, row: int, encoder: Cosines) -> Found:
    scores = encoder.scores(questions)[row]
    order = np.argsort(-scores, kind="stable")[:SHOWN]
    right = set(questions.right[row])
    wrong = np.delete(scores, questions.right[row])
    return Found(
        answers=tuple(
            Answer(text=questions.candidates[place], right=place in right) for place in order.tolist()
        ),
        rank=1 + int((wrong >= scores[list(right)].max()).sum()),
    )
