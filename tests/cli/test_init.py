from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import twinset
from twinset.recipes import RECIPES, SETTINGS, Setting, parse_run_file
from twinset.views import AsGiven


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("setting", SETTINGS)
def test_writes_a_run_file(recipe: str, setting: Setting) -> None:
    result = twinset("init", "--recipe", recipe, "--setting", setting)
    assert (result.code, result.err) == (0, "")
    assert parse_run_file(result.out).recipe == RECIPES[recipe](setting)
    assert recipe in twinset("init", "--help").out


def test_the_papers_numbers_are_for_the_papers_model() -> None:
    assert parse_run_file(twinset("init", "--setting", "paper").out).encoder == "bert-base-uncased"
    assert parse_run_file(twinset("init").out).encoder == "mini"


def test_data_at_hand(texts: Path) -> None:
    data = parse_run_file(twinset("init", "--data", texts).out).data
    assert (data.train, data.kind) == (str(texts), "sentences")


def test_pairs_are_taken_as_pairs(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("question,answer\na,b\nc,d\n", encoding="utf-8")
    result = twinset("init", "--data", pairs)
    run = parse_run_file(result.out)
    assert (run.data.kind, run.recipe.views) == ("pairs", AsGiven())
    assert "holds pairs" in result.err


def test_scored_pairs_are_not_trained_on_unseen(scored: Path) -> None:
    result = twinset("init", "--data", scored)
    assert (result.code, result.out) == (2, "")
    assert "its rows have scores" in result.err
