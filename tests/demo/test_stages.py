from __future__ import annotations

import re
import time

import pytest

from twinset.demo.stages import Stages


def test_each_stage_is_told_and_timed() -> None:
    said: list[str] = []
    stages = Stages(said.append, bars=False)
    with stages.stage("one", "Doing one."):
        time.sleep(0.05)
    stages.note("Between.")
    with stages.stage("two", "Doing two."):
        assert list(stages.seconds) == ["one"]
    assert [re.sub(r"^\d+:\d\d  ", "", line) for line in said] == ["Doing one.", "Between.", "Doing two."]
    assert list(stages.seconds) == ["one", "two"]
    assert 0.05 <= stages.seconds["one"] < 5
    assert stages.seconds["two"] < 0.05 <= stages.total
    assert stages.total >= sum(stages.seconds.values())


def test_the_clock_counts_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    said: list[str] = []
    stages = Stages(said.append, bars=False)
    stages.note("a")
    now[0] += 187.9
    stages.note("b")
    assert said == ["0:00  a", "3:07  b"]


@pytest.mark.parametrize("bars", [False, True])
def test_items_go_through_unchanged(bars: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(Stages(print, bars=bars).through(iter("abc"))) == ["a", "b", "c"]
    assert capsys.readouterr().out == ""
