from __future__ import annotations

from pathlib import Path

import pytest

from tests.encoder.tiny import tiny_encoder


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved encoder that trains in milliseconds."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny_encoder("bert").save_pretrained(folder)
    return folder
