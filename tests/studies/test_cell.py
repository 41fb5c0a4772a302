from __future__ import annotations

import io
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.studies.forked import Forked
from tests.studies.tiny_study import study_text
from twinset.errors import RequestError
from twinset.studies import cell, parse_study
from twinset.studies.machine import Share
from twinset.studies.order import Order, changed, finished
from twinset.studies.work import Work


@pytest.fixture
def order(data: Path, tmp_path: Path) -> Order:
    study = parse_study(study_text(data))
    work = Work(study=study, folder=tmp_path / "out", share=Share(processes=1, threads=1))
    return work.order(study.counted(study.variants)[0])


def test_an_order_goes_over_a_pipe(order: Order) -> None:
    assert Order.from_line(order.to_line()) == order
    assert Order.from_line(replace(order, test=None).to_line()).test is None


def test_a_cell_is_trained_and_scored_and_says_so_last(order: Order) -> None:
    folder = Path(order.folder)
    assert finished(folder) is None
    cell.fill(order)
    left = finished(folder)
    assert left is not None
    assert left["whole"]
    assert left["test"] == order.scored_on
    assert json.loads((folder / "test.json").read_text())["items"]
    assert changed(folder, order) is None


def test_dev_is_scored_where_the_kill_came_before_it(order: Order) -> None:
    folder = Path(order.folder)
    cell.fill(order)
    before = {name: (folder / name).read_bytes() for name in ("scores.json", "test.json")}
    scores = json.loads(before["scores.json"])
    del scores["dev"]
    (folder / "scores.json").write_text(json.dumps(scores))
    for name in ("test.json", "cell.json"):
        (folder / name).unlink()
    cell.fill(order)
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_a_begun_cell_goes_on_from_its_checkpoint(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    from twinset.training.loop import _Loop

    advance = _Loop._advance
    updates: list[int] = []

    def until_the_third(self: _Loop, *arguments: object) -> None:
        updates.append(self.state.update)
        if updates == [0, 1, 2, 3]:
            raise ZeroDivisionError
        advance(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(_Loop, "_advance", until_the_third)
    with pytest.raises(ZeroDivisionError):
        cell.fill(order)
    cell.fill(order)
    assert updates == [0, 1, 2, 3, 3, 4, 5]
    left = finished(Path(order.folder))
    assert left is not None
    assert not left["whole"]


def test_a_cell_of_other_settings_stays_as_it_is(order: Order) -> None:
    folder = Path(order.folder)
    cell.fill(order)
    before = (folder / "cell.json").read_bytes()
    other = replace(order, run=order.run.replace("learning_rate = 0.001", "learning_rate = 0.002"))
    assert other.run != order.run
    assert changed(folder, other) == "run"
    with pytest.raises(RequestError, match="holds a cell of another run; --redo"):
        cell.fill(other)
    assert (folder / "cell.json").read_bytes() == before
    (folder / "run.toml").write_text("of = 'another version'\n")
    assert changed(folder, order) == "run"


def test_screening_looks_at_no_test(order: Order) -> None:
    cell.fill(replace(order, test=None))
    folder = Path(order.folder)
    assert not (folder / "test.json").exists()
    assert changed(folder, order) == "test"


def test_what_a_run_left_before_its_first_checkpoint_is_cleared(order: Order) -> None:
    folder = Path(order.folder)
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text('{"update": 5}\n')
    (folder / "run.toml").write_text(order.run)
    (folder / ".model.half").mkdir()
    cell.fill(order)
    assert finished(folder) is not None
    assert not (folder / ".model.half").exists()


def test_two_processes_never_train_one_cell(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell, "_PATIENCE", 0.1)
    from twinset.studies.lock import alone

    with (
        alone(Path(order.folder), "x"),
        pytest.raises(RequestError, match="this cell is being trained in another"),
    ):
        cell.fill(order)


def test_without_an_order_there_is_nothing_to_do() -> None:
    assert cell.main(io.StringIO("")) == cell._ORPHAN


def test_it_ends_with_whoever_gave_the_order(order: Order, tmp_path: Path) -> None:
    endless = replace(order, run=order.run.replace("epochs = 2.0", "epochs = 100000.0"))
    assert endless.run != order.run
    with (tmp_path / "words").open("wb") as words:
        program = Forked(["-m", "twinset.studies.cell"], stdout=words)
    program.stdin.write(endless.to_line().encode())
    program.stdin.flush()
    until = time.monotonic() + 60
    while not (Path(order.folder) / "checkpoint.safetensors").exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert program.poll() is None
    program.stdin.close()
    assert program.wait(10) == cell._ORPHAN


def test_a_fault_of_ours_has_last_words(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> None:
        raise ZeroDivisionError("by nought")

    assert cell._told(fails) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "ZeroDivisionError: by nought"


def test_the_program_itself(order: Order) -> None:
    """The one test that starts it as a study does, with its threads."""
    from twinset.studies.worker import Worker

    folder = Path(order.folder)
    worker = Worker(order, 2)
    worker.gone(120)
    assert worker.ended() == 0, worker.said()
    left = finished(folder)
    assert left is not None
    assert left["threads"] == "2"
    assert left["seconds"] > 0.1
    assert json.loads((folder / "environment.json").read_text())["threads"] == 2
