from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.studies.tiny_study import study_text, variants_text
from twinset.studies import parse_study, run_study, show_study
from twinset.studies.collect import settings_looked_at


def test_settings_looked_at_on_dev() -> None:
    text = variants_text('name = "a"', 'name = "b"\ntried = 4\n[variant.grid]\nrecipe.epochs = [1, 2, 3]')
    assert set(settings_looked_at(parse_study(text)).values()) == {1, 4}
    screened = settings_looked_at(parse_study(text + "[screen]\n"))
    assert screened == {"a": 1, "b epochs=1": 6, "b epochs=2": 6, "b epochs=3": 6}


@pytest.mark.usefixtures("forked")
def test_what_a_reader_must_know(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = study_text(data, head="seeds = 1\n").replace('name = "hot"', 'name = "hot"\ntried = 3')
    study = parse_study(text.replace(f'dev = "{data / "dev.csv"}"', f'dev = "{data / "test.csv"}"'))
    first = run_study(study, out=tmp_path / "a")
    assert first.warnings == (
        "checkpoints were picked on pairs that are scored on, too: test (70 of 70 pairs)",
        "not the same number of settings was looked at on dev (plain 1, hot 3): more looks find more",
    )
    # The comparison is not made again while nothing of it has changed.
    monkeypatch.setattr("twinset.studies.collect.against", lambda *_: pytest.fail("compared again"))
    assert show_study(tmp_path / "a") == first
    monkeypatch.setattr("twinset.studies.collect.against", lambda *_: ())
    other = replace(study, settings=replace(study.settings, draws=300))
    assert run_study(other, out=tmp_path / "a").against == ()
    environment = tmp_path / "a/cells/hot/seed-0/environment.json"
    environment.write_text(environment.read_text().replace('"threads": 1', '"threads": 8'))
    assert show_study(tmp_path / "a").warnings[-1] == "not all runs were made with the same threads"
