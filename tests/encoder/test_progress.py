from __future__ import annotations

import io
import sys

import pytest

from twinset.encoder.progress import shown


def test_texts_pass_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(shown(["a", "b"], progress=True)) == ["a", "b"]
    assert list(shown(iter("abc"), progress=True)) == ["a", "b", "c"]
    assert capsys.readouterr().out == "", "standard output is for results"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("screen", [Terminal(), io.StringIO()], ids=["terminal", "file"])
def test_a_bar_is_for_terminals(screen: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    assert list(shown(["a", "b"], progress=True, what="tokenising")) == ["a", "b"]
    assert ("tokenising" in screen.getvalue()) is screen.isatty()
    assert screen.isatty() or screen.getvalue() == ""


def test_nothing_is_wrapped_unasked() -> None:
    texts = ["a"]
    assert shown(texts, progress=False) is texts
