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


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Twelve different lines."""
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"text number {number} about a cat\n" for number in range(12)), encoding="utf-8")
    return path


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Scored pairs with a header."""
    path = tmp_path / "pairs.csv"
    rows = [
        ("a cat sat", "a cat sat down", 4.5),
        ("a dog", "rain is falling", 0.5),
        ("the mat", "a mat", 4.0),
    ]
    lines = ["sentence1,sentence2,score", *(f"{a},{b},{c}" for a, b, c in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def run_file(tmp_path: Path, texts: Path, scored: Path, tiny_folder: Path) -> Path:
    """A run of six updates, watched."""
    path = tmp_path / "run.toml"
    path.write_text(
        f'encoder = "{tiny_folder}"\n[data]\ntrain = "{texts}"\ndev = "{scored}"\n'
        "[recipe]\nbatch_size = 4\nepochs = 2\nmax_length = 16\n",
        encoding="utf-8",
    )
    return path
