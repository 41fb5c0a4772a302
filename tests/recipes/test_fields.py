from __future__ import annotations

from typing import Literal

import pytest

from twinset.encoder.pooling import Pooling
from twinset.objectives import AnyObjective, Weighted, WeightedSum
from twinset.recipes.fields import allowed, choices_of, entries, listed_parts, may_be_none, parts_of
from twinset.training import Recipe, Recording
from twinset.training.steps import Adversarial
from twinset.views import AnyView, Compose


def test_kinds_are_file_names() -> None:
    assert list(parts_of(AnyObjective)) == ["infonce", "nt_xent", "weighted_sum"]
    assert {"token_cutoff", "compose"} <= set(parts_of(AnyView))


def test_parts_that_hold_parts_know_them() -> None:
    assert parts_of(entries(Weighted)["objective"].hint) == parts_of(AnyObjective)
    assert parts_of(entries(Adversarial)["attack"].hint) == parts_of(AnyObjective)
    assert parts_of(listed_parts(entries(Compose)["views"].hint)) == parts_of(AnyView)
    assert list(parts_of(listed_parts(entries(WeightedSum)["parts"].hint))) == ["weighted_sum"]


def test_what_does_work_has_no_word() -> None:
    assert list(entries(Recording)) == ["log_every", "save_every", "tensorboard", "progress", "token_cache"]


def test_defaults_and_requirements() -> None:
    known = entries(Recipe)
    assert known["batch_size"].default == 64
    assert not known["objective"].required
    assert entries(Weighted)["objective"].required


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (int, "a whole number"),
        (float | None, 'a finite number or "none"'),
        (tuple[float, float], "a list of 2, each a finite number"),
        (tuple[str | int, ...] | None, 'a list, each a text in quotes or a whole number or "none"'),
        (Literal["one", "both"], "one of one, both"),
    ],
)
def test_allowed_in_words(hint: object, words: str) -> None:
    assert allowed(hint) == words


def test_literals_inside_unions() -> None:
    assert choices_of(Pooling | None)[:2] == ("cls", "mean")
    assert may_be_none(Pooling | None)
    assert not may_be_none(Pooling)
