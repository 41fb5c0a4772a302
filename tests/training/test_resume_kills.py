"""The benchmark that proves exact resume by killing, in small: three runs, killed where it hurts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from benchmarks import resume_kills

pytestmark = pytest.mark.skipif(
    torch.cuda.is_available(), reason="a process with an accelerator cannot be forked"
)


def main(*words: str) -> int:
    return resume_kills.main(["--start", "fork", *words])


def test_killed_and_resumed_runs_end_as_the_unbroken_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "result.json"
    assert main("--kills", "3", "--seed", "1", "--json", str(result)) == 0
    found = json.loads(result.read_text())
    assert found["killed"] == 3
    assert found["different"] == 0
    assert all(row["starts"] >= 2 for row in found["runs"])
    assert "3 of 3 runs were killed, 0 ended otherwise." in capsys.readouterr().out
    # Every kind of operation that a kill is planned for is one that the run makes.
    assert set(found["operations"]) == {"write", "sync file", "rename", "sync folder", "append", "remove"}


def test_a_run_that_ends_otherwise_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from twinset.training.state import TrainState

    restore = TrainState.restore

    def forgetting(self: TrainState, saved: object) -> None:
        restore(self, saved)  # type: ignore[arg-type]
        self.earlier = None

    monkeypatch.setattr(TrainState, "restore", forgetting)
    place = resume_kills.Kill(operation="rename", when="after", number=8)
    monkeypatch.setattr(resume_kills, "plans", lambda *given: [[place]])
    assert main("--kills", "1") == 1
    printed = capsys.readouterr().out
    assert "DIFFERS: model/model.safetensors" in printed
    assert "1 ended otherwise" in printed
