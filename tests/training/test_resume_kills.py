"""The benchmark that proves exact resume by killing, in small: three runs, killed where it hurts."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest
import torch

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "resume_kills.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    if torch.cuda.is_initialized():
        pytest.skip("a process with an accelerator cannot be forked")
    return runpy.run_path(str(SCRIPT), run_name="resume_kills")


def main(script: dict[str, object], monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--start", "fork", *words])
    return script["main"]()  # type: ignore[operator]


def test_killed_and_resumed_runs_end_as_the_unbroken_one(
    script: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = tmp_path / "result.json"
    assert main(script, monkeypatch, "--kills", "3", "--seed", "1", "--json", str(result)) == 0
    found = json.loads(result.read_text())
    assert found["killed"] == 3
    assert found["different"] == 0
    assert all(row["starts"] >= 2 for row in found["runs"])
    assert "3 of 3 runs were killed, 0 ended otherwise." in capsys.readouterr().out
    # Every kind of operation that a kill is planned for is one that the run makes.
    assert set(found["operations"]) == {"write", "sync file", "rename", "sync folder", "append", "remove"}


def test_a_run_that_ends_otherwise_is_found(
    script: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from twinset.training.state import TrainState

    restore = TrainState.restore

    def forgetting(self: TrainState, saved: object) -> None:
        restore(self, saved)  # type: ignore[arg-type]
        self.earlier = None

    monkeypatch.setattr(TrainState, "restore", forgetting)
    place = script["Kill"](operation="rename", when="after", number=8)  # type: ignore[operator]
    namespace = script["main"].__globals__  # type: ignore[attr-defined]
    monkeypatch.setitem(namespace, "plans", lambda *given: [[place]])
    assert main(script, monkeypatch, "--kills", "1") == 1
    printed = capsys.readouterr().out
    assert "DIFFERS: model/model.safetensors" in printed
    assert "1 ended otherwise" in printed
