from __future__ import annotations

import pytest

from twinset.batching import AnyBatching, Random
from twinset.negatives import Queue
from twinset.objectives import AnyObjective, NTXent
from twinset.recipes import RunFile, TrainingData
from twinset.recipes.fields import entries, parts_of
from twinset.recipes.words import about, heading
from twinset.training import AdamW, Lagged, Recipe, Recording, Schedule, Select
from twinset.training.steps import AnyStep
from twinset.views import AnyView, AnyViews, FeatureCutoff

PARTS = [
    *(
        part
        for union in (AnyObjective, AnyView, AnyViews, AnyBatching, AnyStep)
        for part in parts_of(union).values()
    ),
    *(Queue, AdamW, Lagged, Schedule, Select, Recipe, Recording, RunFile, TrainingData),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_field_has_one_line(part: type) -> None:
    for entry in entries(part).values():
        line = about(part, entry)
        assert line
        assert "\n" not in line
        assert len(line) < 160
    assert "\n" not in heading(part)


def test_words_come_from_the_docstring() -> None:
    rate = entries(FeatureCutoff)["rate"]
    assert (
        about(FeatureCutoff, rate) == "the share of the embedding layer's features that is cut, rounded down"
    )
    assert about(Random, entries(Random)["drop_last"]).startswith("leaves out a last batch")


def test_choices_come_first() -> None:
    assert about(NTXent, entries(NTXent)["reduction"]).startswith("mean, sum_of_directions: ")


def test_heading_is_the_first_sentence() -> None:
    assert heading(NTXent) == "NT-Xent: find the partner among all other 2N - 1 views of the batch"
