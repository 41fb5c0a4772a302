from __future__ import annotations

import io
import sys

import pytest

from twinset.training import progress as module
from twinset.training.progress import TrainingProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with TrainingProgress(10, done=4) as progress:
        progress.watched("spearman", 71.25, 73.5)
        progress.advanced(5, 0.125)
        assert progress.bar is not None
        progress.bar.refresh()
    assert "5/10" in screen.getvalue()
    assert "loss 0.1250  spearman 71.25 (best 73.50)" in screen.getvalue()


def test_elsewhere_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, clock = io.StringIO(), iter([0.0, 10.0, 16.0, 16.0, 16.0, 20.0, 31.5, 31.5, 31.5])
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    with TrainingProgress(8, done=2) as progress:
        for update in (3, 4, 5, 6):
            progress.advanced(update, 0.5)
    lines = screen.getvalue().splitlines()
    # 2 updates in 16 s, so 4 more take 32; then 4 in 31.5 s, 2 more about 16
    assert lines == [
        "update 4/8  loss 0.5000    about 32 s left",
        "update 6/8  loss 0.5000    about 16 s left",
    ]


def test_nothing_is_said_where_nothing_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(module, "_SECONDS_BETWEEN_LINES", -1.0)
    with TrainingProgress(8, shown=False) as progress:
        progress.advanced(1, 0.5)
    assert screen.getvalue() == ""
