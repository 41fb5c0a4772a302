from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.studies.grid import points


def test_every_combination_named_by_what_differs() -> None:
    found = points({"recipe": {"batch_size": [32, 64]}, "recipe.objective.temperature": [0.05, 0.1]})
    assert [point.name for point in found] == [
        "batch_size=32 temperature=0.05",
        "batch_size=32 temperature=0.1",
        "batch_size=64 temperature=0.05",
        "batch_size=64 temperature=0.1",
    ]
    assert found[1].set == ("recipe.batch_size=32", "recipe.objective.temperature=0.1")


def test_names_are_as_long_as_it_takes() -> None:
    found = points({"recipe.views.first.rate": [0.1], "recipe.views.second.rate": [0.2]})
    assert [point.name for point in found] == ["first.rate=0.1 second.rate=0.2"]


def test_values_of_any_kind() -> None:
    table = {"recipe.memory": ["none", {"kind": "queue", "batches": 2.5}], "data.train": ["a b.txt"]}
    found = points(table)
    assert [point.name for point in found] == [
        "memory=none train=a b.txt",
        "memory=queue(batches=2.5) train=a b.txt",
    ]
    assert found[1].set[0] == 'recipe.memory={"kind" = "queue", "batches" = 2.5}'
    assert found[0].set == ('recipe.memory="none"', 'data.train="a b.txt"')


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (3, "grid: 3 is not a table of fields"),
        ({}, "is not a table of fields"),
        ({"recipe": {"epochs": 3}}, r"grid\.recipe\.epochs: 3 is not a list of values"),
        ({"recipe.epochs": []}, "is not a list of values"),
        ({"recipe.epochs": [1, 2, 1]}, "grid.recipe.epochs: 1 stands twice"),
        ({f"recipe.f{number}": list(range(10)) for number in range(5)}, "100,000 combinations"),
    ],
)
def test_what_is_no_grid(table: object, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        points(table)
