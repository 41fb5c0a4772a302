from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.demo.books import write_library
from twinset.demo.manuals import Manuals, learn_manuals
from twinset.demo.packages import Library
from twinset.demo.recipe import manuals_recipe
from twinset.demo.stages import Stages


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Four tiny packages that can be imported, and never are."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(place)
    return write_library(place)


@pytest.fixture(scope="session")
def said() -> list[str]:
    """What `story` told while it went on."""
    return []


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory, said: list[str]) -> Iterator[Manuals]:
    """The whole demo on the tiny packages: four updates."""
    place = tmp_path_factory.mktemp("story")
    (place / "site").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place / "site")
        tiny = write_library(place / "site")
        recipe = replace(manuals_recipe(), steps=4, batch_size=12)
        yield learn_manuals(place / "demo", Stages(said.append, bars=False), library=tiny, recipe=recipe)
