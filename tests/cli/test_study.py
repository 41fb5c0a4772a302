from __future__ import annotations

import json
from pathlib import Path

import pytest

import twinset as ts
from tests.cli.command import twinset
from tests.studies.forked import forking
from tests.studies.tiny_study import study_text, write_data


@pytest.fixture
def study_file(tmp_path: Path, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two variants, one seed each; cells start in no time."""
    monkeypatch.setattr("twinset.studies.worker.subprocess", forking)
    write_data(tmp_path)
    (tmp_path / "tiny").symlink_to(tiny_folder)
    path = tmp_path / "sweep.toml"
    path.write_text(study_text(tmp_path, head="seeds = 1\n"), encoding="utf-8")
    return path


def test_a_study_and_its_report_again(
    study_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = twinset("study", study_file, "--set", "recipe.batch_size=24")
    assert first.code == 0, first.err
    assert "[2/2] hot, seed 0" in first.err
    assert "sweep: your pairs" in first.out
    assert "not enough seeds to say" in first.out
    out = tmp_path / "studies" / "sweep"
    assert "batch_size = 24" in (out / "cells/plain/seed-0/run.toml").read_text()
    shown = twinset("study", Path("studies/sweep"), "--quiet")
    assert (shown.code, shown.out, shown.err) == (0, first.out, "")
    told = json.loads(twinset("study", out, "--json").out)
    assert told["cells"] == [2, 2]
    assert told["variants"][0]["mean"] == pytest.approx(told["variants"][0]["runs"][0]["average"])
    assert told["against"][0]["word"] == "not enough"
    assert ts.study(out).table() in shown.out


def test_from_python(study_file: Path, tmp_path: Path) -> None:
    result = ts.study(study_file, out=tmp_path / "a")
    assert result.cells == (2, 2)
    assert set(result.verdicts) == {"hot"}
    assert "hot" in result.table()


def test_quiet_and_json(study_file: Path, tmp_path: Path) -> None:
    result = twinset("study", study_file, "--out", tmp_path / "a", "--quiet", "--json", "--seeds", "1")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["baseline"] == "plain"


def test_failed_cells_end_with_one(study_file: Path, tmp_path: Path) -> None:
    text = study_file.read_text().replace("learning_rate=3e-2", "learning_rate=1e14")
    study_file.write_text(text.replace("epochs = 2", "epochs = 2\nclip = 'none'"))
    result = twinset("study", study_file, "--out", tmp_path / "a", "--json")
    assert result.code == 1
    assert "1 cell(s) failed, call again to retry them: hot, seed 0: " in result.err
    assert "Traceback" not in result.err
    assert json.loads(result.out)["failed"][0]["variant"] == "hot"


def test_dry_run_writes_nothing(study_file: Path, tmp_path: Path) -> None:
    result = twinset("study", study_file, "--dry-run", "--out", tmp_path / "a")
    assert result.code == 0, result.err
    assert "2 cells count, 0 of them done" in result.out
    assert "from a probe of plain, seed 0" in result.out
    told = json.loads(twinset("study", study_file, "--dry-run", "--out", tmp_path / "a", "--json").out)
    assert told["variants"] == ["plain", "hot"]
    assert not (tmp_path / "a").exists()


def test_what_cannot_be(study_file: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ([tmp_path, "--redo"], "is a study's folder, which is shown as it is"),
        ([tmp_path], "has no study.json"),
        ([tmp_path / "none.toml"], "no such file; twinset init --study writes a study file"),
        ([study_file, "--set", "recipe.epoch=3"], "did you mean 'epochs'?"),
        ([study_file, "--set", "encoder=nowhere/at-all"], "nowhere"),
        ([study_file, "--out", study_file], "is a file; name a folder"),
    ):
        result = twinset("study", *arguments)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert "Traceback" not in result.err
    broken = tmp_path / "broken"
    broken.mkdir()
    for content in ("{", "[]", "{}", '{"threads": 1, "processes": 1, "variants": 3, "settings": {}}'):
        (broken / "study.json").write_text(content)
        assert twinset("study", broken).code == 2


def test_init_writes_one(tmp_path: Path) -> None:
    result = twinset("init", "--study", "--data", "mine.txt")
    (tmp_path / "s.toml").write_text(result.out)
    from twinset.studies import read_study

    assert read_study(tmp_path / "s.toml").variants[0].run.data.train == "mine.txt"
