from __future__ import annotations

from pathlib import Path

import pytest

from twinset.cli.model import load_model
from twinset.errors import ModelError, RequestError


def test_a_folder_and_a_run(tiny_folder: Path, tmp_path: Path) -> None:
    assert load_model(str(tiny_folder)).dimension == 32
    assert load_model("mini", max_length=16).max_length == 16
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.toml").write_text("")
    with pytest.raises(RequestError, match="this run has no model yet"):
        load_model(str(run))
    (run / "model").symlink_to(tiny_folder)
    assert load_model(str(run)).dimension == 32


def test_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        load_model(str(tmp_path / "none"))
