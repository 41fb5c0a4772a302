from __future__ import annotations

import pytest

from twinset.encoder.progress import shown


def test_texts_pass_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(shown(["a", "b"], progress=True)) == ["a", "b"]
    assert list(shown(iter("abc"), progress=True)) == ["a", "b", "c"]
    assert capsys.readouterr().out == "", "standard output is for results"


def test_nothing_is_wrapped_unasked() -> None:
    texts = ["a"]
    assert shown(texts, progress=False) is texts
