from __future__ import annotations

from pathlib import Path

import pytest

from tests.encoder.tiny import tiny_encoder
from tests.studies.forked import forking
from tests.studies.tiny_study import write_data


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved encoder that trains in milliseconds."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny_encoder("bert").save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Path:
    """texts.txt, dev.csv, test.csv and more.csv, and the encoder's folder beside them."""
    folder = tmp_path_factory.mktemp("data")
    write_data(folder)
    (folder / "tiny").symlink_to(tiny_folder)
    return folder


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells start in no time."""
    monkeypatch.setattr("twinset.studies.worker.subprocess", forking)
