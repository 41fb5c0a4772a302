from __future__ import annotations

import tomllib

import pytest
from hypothesis import given

from tests.recipes.settings import comparable, recipes, run_files
from twinset.objectives import InfoNCE, NTXent, Weighted, WeightedSum
from twinset.recipes import (
    RECIPES,
    SETTINGS,
    RunFile,
    Setting,
    TrainingData,
    parse_recipe,
    parse_run_file,
    to_toml,
)
from twinset.recipes.fields import entries
from twinset.training import Recipe
from twinset.views import Compose, Pair, TokenCutoff, Unchanged


@given(recipes)
def test_a_recipe_reads_back_as_it_was(recipe: Recipe) -> None:
    assert parse_recipe(to_toml(recipe)) == recipe


@given(run_files)
def test_a_run_file_reads_back_as_it_was(run: RunFile) -> None:
    assert comparable(parse_run_file(to_toml(run))) == comparable(run)


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_paper_writes_and_reads(name: str, setting: Setting) -> None:
    recipe = RECIPES[name](setting)
    assert parse_recipe(to_toml(recipe)) == recipe


def test_every_field_is_there_with_a_comment() -> None:
    lines = to_toml(RunFile(data=TrainingData(train="a.txt"))).splitlines()
    values = [line for line in lines if " = " in line and not line.startswith("#")]
    assert all("  # " in line for line in values)
    written = {line.split(" = ")[0] for line in values} | {
        line.strip("[]").rsplit(".", 1)[-1] for line in lines if line.startswith("[")
    }
    assert set(entries(Recipe)) | set(entries(TrainingData)) <= written


def test_nested_parts_become_tables() -> None:
    recipe = Recipe(
        views=Pair(Compose(views=(TokenCutoff(rate=0.25), Unchanged())), Unchanged()),
        objective=WeightedSum(
            parts=(Weighted(objective=NTXent(), weight=0.5), Weighted(objective=InfoNCE()))
        ),
    )
    table = tomllib.loads(to_toml(recipe))["recipe"]
    assert table["views"]["first"]["views"][0] == {"kind": "token_cutoff", "rate": 0.25}
    assert [part["objective"]["kind"] for part in table["objective"]["parts"]] == ["nt_xent", "infonce"]
    assert table["objective"]["parts"][0]["weight"] == 0.5


def test_texts_are_escaped() -> None:
    name = 'a "quoted"\\ \t\x7f\x1f 漢字 🎈.txt'
    run = RunFile(data=TrainingData(train=name))
    assert parse_run_file(to_toml(run)).data.train == name
