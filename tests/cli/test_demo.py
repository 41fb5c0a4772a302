from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import twinset


def test_json(tmp_path: Path) -> None:
    told = json.loads(twinset("demo", "--out", tmp_path / "demo", "--json").out)
    assert told["questions"] == 20
    assert set(told["before"]) == set(told["after"]) == {"hits_at_1", "mrr", "ranks"}
    assert Path(told["model"]).is_dir()


def test_own_text(texts: Path, tmp_path: Path) -> None:
    result = twinset("demo", "--text", texts, "--out", tmp_path / "demo")
    assert result.code == 0
    assert "12 texts" in result.out
    assert "text number 0 about a cat" in result.out
