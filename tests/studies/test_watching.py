from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.studies.tiny_study import study_text
from twinset.studies import parse_study, run_study
from twinset.studies.watching import StudyProgress, duration
from twinset.studies.worker import news

pytestmark = pytest.mark.usefixtures("forked")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_for_each_cell(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = parse_study(study_text(data, head="seeds = 1\n"))
    with StudyProgress() as progress:
        run_study(study, out=tmp_path / "a", watching=progress)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "study: 2 cells, 0 of them done"
    assert lines[1].startswith("[1/2] plain, seed 0: dev ")
    assert "about" in lines[1]
    assert lines[2].startswith("[2/2] hot, seed 0: dev ")
    assert "about" not in lines[2]


def test_a_table_on_a_terminal(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("twinset.studies.watching._BETWEEN", 0.0)
    study = parse_study(study_text(data, head="seeds = 1\n"))
    with StudyProgress() as progress:
        run_study(study, out=tmp_path / "a", watching=progress)
    shown = screen.getvalue()
    for words in ("variant", "dev so far", "plain", "1/1", "update 2", "left"):
        assert words in shown


def test_time_left_is_from_finished_cells(data: Path, tmp_path: Path) -> None:
    study = parse_study(study_text(data, head="seeds = 3\n"))
    cells = study.counted(study.variants)
    progress = StudyProgress()
    progress.stage(cells, {}, 2)
    assert progress.left() is None
    progress.seconds = [10.0, 20.0]
    assert progress.left() == pytest.approx(6 * 15 / 2)
    progress.began(cells[0], tmp_path)
    assert progress.left() == pytest.approx(6 * 15 / 2, abs=0.5)


def test_news_of_a_run(tmp_path: Path) -> None:
    assert news(tmp_path) == (0, None)
    lines = (
        '{"update": 0, "watch": {"spearman": 0.9}}\n{"update": 2, "watch": {"spearman": 0.4}}\n'
        '{"update": 4, "watch": {"spearman": 0.3}}\n{"update": 5, "lo'
    )
    (tmp_path / "log.jsonl").write_text(lines)
    assert news(tmp_path) == (4, 0.4)


def test_durations() -> None:
    assert [duration(value) for value in (0.4, 89, 200, 7300)] == ["0 s", "89 s", "3 min", "2.0 h"]
