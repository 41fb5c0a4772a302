from __future__ import annotations

import json
import shlex
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.command import twinset
from tests.demo.books import write_library
from twinset.demo import packages, recipe
from twinset.demo.packages import Package


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tiny packages for the installed ones, and four updates: what takes minutes takes seconds."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(place)
    monkeypatch.setattr(packages, "INSTALLED", write_library(place))
    short = replace(recipe.manuals_recipe(), steps=4, batch_size=12)
    monkeypatch.setattr(recipe, "manuals_recipe", lambda: short)
    return tmp_path / "demo"


def test_the_story_and_the_search_it_names(tiny: Path) -> None:
    result = twinset("demo", "--out", tiny)
    assert result.code == 0
    assert "questions" in result.out
    assert "Training it on the pairs." in result.err
    assert "temporary" not in result.err
    (command,) = (line for line in result.out.splitlines() if line.startswith("  twinset search"))
    found = twinset(*shlex.split(command)[1:])
    assert found.code == 0
    texts = (tiny / "corpus.txt").read_text(encoding="utf-8").splitlines()
    assert len(found.out.splitlines()) == 5
    assert all(line.split("  ", 1)[1] in texts for line in found.out.strip().splitlines())


def test_json_is_one_object(tiny: Path) -> None:
    result = twinset("demo", "--out", tiny, "--json")
    told = json.loads(result.out)
    assert set(told) == {
        *("seconds", "corpus", "training", "figures", "means", "dev", "examples", "model", "texts")
    }
    assert Path(told["model"]) == tiny / "run" / "model"
    assert told["training"]["updates"] == 4


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_without_a_folder_it_says_where_the_run_is(tiny: Path, temporary: Path) -> None:
    result = twinset("demo")
    folder = Path(result.err.split("The run is in ")[1].split(" (")[0])
    assert folder.parent == temporary
    assert (folder / "run" / "model").is_dir()


def test_a_temporary_folder_does_not_outlive_a_refusal(
    tiny: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "INSTALLED", replace(packages.INSTALLED, dev=Package(name="bk_none")))
    assert twinset("demo").code == 2
    assert not list(temporary.iterdir())


def test_a_package_that_is_missing(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanting = replace(packages.INSTALLED, training=(Package(name="bk_none"),))
    monkeypatch.setattr(packages, "INSTALLED", wanting)
    result = twinset("demo", "--out", tiny)
    assert result.code == 2
    assert "bk_none, which is not installed: pip install bk_none" in result.err
    assert not tiny.exists()


def test_own_text(texts: Path, tmp_path: Path) -> None:
    result = twinset("demo", "--text", texts, "--out", tmp_path / "demo")
    assert result.code == 0
    assert "12 texts" in result.out
    assert "text number 0 about a cat" in result.out


def test_own_text_as_json(texts: Path, tmp_path: Path) -> None:
    told = json.loads(twinset("demo", "--text", texts, "--out", tmp_path / "demo", "--json").out)
    assert told["texts"] == 12
    assert Path(told["model"]).is_dir()
