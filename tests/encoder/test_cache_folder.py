from __future__ import annotations

from pathlib import Path

import pytest

from twinset.encoder.cache_folder import cache_folder


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TWINSET_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/someone")


def test_usually_it_is_below_home() -> None:
    assert cache_folder() == Path("/home/someone/.cache/twinset")


def test_where_the_desktop_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    assert cache_folder() == Path("/var/caches/twinset")
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert cache_folder() == Path("/home/someone/.cache/twinset")


def test_twinset_s_own_word_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    monkeypatch.setenv("TWINSET_CACHE", "~/fast")
    assert cache_folder() == Path("/home/someone/fast")
    monkeypatch.setenv("TWINSET_CACHE", "")
    assert cache_folder() == Path("/var/caches/twinset")


def test_where_nobody_is_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    assert cache_folder() is None
