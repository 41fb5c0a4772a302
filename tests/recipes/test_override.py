from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.recipes.override import overridden


@pytest.mark.parametrize(
    ("table", "assignment", "after"),
    [
        ({}, "seed=3", {"seed": 3}),
        ({"recipe": {"epochs": 1}}, "recipe.epochs=2.5", {"recipe": {"epochs": 2.5}}),
        ({}, "data.train=my texts.txt", {"data": {"train": "my texts.txt"}}),
        ({}, 'data.train="a=b.txt"', {"data": {"train": "a=b.txt"}}),
        ({}, "data.train=a=b.txt", {"data": {"train": "a=b.txt"}}),
        ({}, "data.train=2024-01-01", {"data": {"train": "2024-01-01"}}),
        ({}, "data.columns=[0, 1]", {"data": {"columns": [0, 1]}}),
        (
            {"recipe": {"views": "dropout_twice"}},
            "recipe.views.x=1",
            {"recipe": {"views": {"kind": "dropout_twice", "x": 1}}},
        ),
        ({"recipe": {"memory": "none"}}, "recipe.memory.batches=2", {"recipe": {"memory": {"batches": 2}}}),
        (
            {"recipe": {"objective": {"kind": "infonce", "temperature": 1}}},
            "recipe.objective.kind=nt_xent",
            {"recipe": {"objective": {"kind": "nt_xent"}}},
        ),
        (
            {"recipe": {"objective": {"kind": "infonce", "temperature": 1}}},
            "recipe.objective.kind=infonce",
            {"recipe": {"objective": {"kind": "infonce", "temperature": 1}}},
        ),
        (
            {"data": {"train": "a", "kind": "auto"}},
            "data.kind=pairs",
            {"data": {"train": "a", "kind": "pairs"}},
        ),
        (
            {"recipe": {"objective": {"parts": [{"weight": 1}, {"weight": 2}]}}},
            "recipe.objective.parts.1.weight=3",
            {"recipe": {"objective": {"parts": [{"weight": 1}, {"weight": 3}]}}},
        ),
        ({}, "seed=1\nencoder='x'", {"seed": "1\nencoder='x'"}),
    ],
)
def test_fields_are_set(table: dict[str, object], assignment: str, after: dict[str, object]) -> None:
    before = repr(table)
    assert overridden(table, [assignment]) == after
    assert repr(table) == before


@pytest.mark.parametrize("assignment", ["seed", "=3", "recipe..x=3", ".=1"])
def test_what_is_no_assignment_is_refused(assignment: str) -> None:
    with pytest.raises(RecipeError, match="write it as field=value"):
        overridden({}, [assignment])


def test_a_number_has_no_fields() -> None:
    with pytest.raises(RecipeError, match=r"--set seed: 3 has no fields of its own"):
        overridden({"seed": 3}, ["seed.x=1"])


@pytest.mark.parametrize("place", ["2", "x", "-1", "²"])
def test_a_list_is_indexed_by_number(place: str) -> None:
    with pytest.raises(RecipeError, match="the list has 1 entries"):
        overridden({"parts": [{}]}, [f"parts.{place}.weight=1"])
