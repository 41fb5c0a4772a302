from __future__ import annotations

from twinset.demo.recipe import manuals_recipe
from twinset.objectives import InfoNCE
from twinset.recipes import parse_recipe, to_toml


def test_it_learns_pairs_both_ways_for_a_fixed_number_of_updates() -> None:
    recipe = manuals_recipe()
    recipe.check(columns=2, labels=False, scores=False)
    assert isinstance(recipe.objective, InfoNCE)
    assert recipe.objective.directions == "both"
    assert recipe.steps is not None
    assert recipe.select.keep == "last"  # nothing is watched, so there is no best
    assert parse_recipe(to_toml(recipe)) == recipe
