from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.training.runs import Stopped, StoppingDisk
from twinset.errors import RequestError, WorkError
from twinset.training.checkpoint import BEST, CHECKPOINT
from twinset.training.optimizer import AdamW
from twinset.training.record import Record, Recording
from twinset.training.state import TrainState

PRINT = {"recipe": "a", "data": "b"}


def state(value: float = 1.0) -> TrainState:
    backbone = nn.Linear(2, 2)
    nn.init.constant_(backbone.weight, value)
    return TrainState(backbone=backbone, weights={}, optimizer=AdamW().build(backbone, {}, (1.0, 1.0)))


def record(folder: Path | None, fingerprint: dict[str, str] | None = None, **how: object) -> Record:
    return Record(folder, Recording(progress=False, **how), fingerprint or PRINT)  # type: ignore[arg-type]


def begun(folder: Path, update: int = 3) -> TrainState:
    """A run's folder with a checkpoint in it."""
    mine, at = record(folder), state()
    mine.begin(at, resume=False)
    at.update = update
    mine.write({"update": update})
    mine.save(at)
    return at


def test_a_record_without_a_folder_keeps_the_best_in_memory() -> None:
    mine, at = record(None), state()
    mine.begin(at, resume=False)
    mine.keep_best(at)
    nn.init.constant_(at.backbone.weight, 5.0)
    mine.save(at)
    mine.put_json("a.json", {})
    mine.finish()
    assert mine.make_way() is None
    assert torch.equal(mine.best()["model.weight"], torch.ones(2, 2))


def test_resume_without_a_folder_is_refused() -> None:
    with pytest.raises(RequestError, match="out="):
        record(None).begin(state(), resume=True)


def test_the_best_weights_are_kept_in_the_folder(tmp_path: Path) -> None:
    mine, at = record(tmp_path), state()
    mine.keep_best(at)
    nn.init.constant_(at.backbone.weight, 5.0)
    assert torch.equal(record(tmp_path).best()["model.weight"], torch.ones(2, 2))


def test_best_weights_that_someone_removed_are_missed(tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(RequestError, match=BEST):
        record(tmp_path).best()
    with pytest.raises(RequestError, match="none were kept"):
        record(None).best()


def test_a_resumed_record_brings_the_state_back(tmp_path: Path) -> None:
    begun(tmp_path, update=7)
    other = state(2.0)
    record(tmp_path).begin(other, resume=True)
    assert other.update == 7
    assert torch.equal(other.backbone.weight, torch.ones(2, 2))


@pytest.mark.parametrize("name", sorted(PRINT))
def test_another_run_s_checkpoint_is_refused_by_name(name: str, tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(RequestError, match=f"cannot resume, the {name} is not the one"):
        record(tmp_path, {**PRINT, name: "z"}).begin(state(), resume=True)


@pytest.mark.parametrize("name", [CHECKPOINT, "scores.json", "model"])
def test_a_new_run_never_writes_over_another(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(RequestError, match="a run is already recorded here"):
        record(tmp_path).begin(state(), resume=False)


def test_a_journal_with_updates_is_a_run_and_one_without_is_not(tmp_path: Path) -> None:
    journal = tmp_path / "log.jsonl"
    journal.write_text('{"update": 0, "watch": {}}\n{"update": 1}\n')
    with pytest.raises(RequestError, match="a run is already recorded here"):
        record(tmp_path).begin(state(), resume=False)
    journal.write_text('{"update": 0, "watch": {}}\n')
    record(tmp_path).begin(state(), resume=False)
    assert journal.read_text() == ""


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("")
    with pytest.raises(RequestError, match="this is a file; name a folder"):
        record(tmp_path / "run").begin(state(), resume=False)
    with pytest.raises(WorkError, match="could not be made"):
        record(tmp_path / "run" / "below").begin(state(), resume=False)


def test_a_folder_below_others_is_made(tmp_path: Path) -> None:
    record(tmp_path / "runs" / "a").begin(state(), resume=False)
    assert (tmp_path / "runs" / "a" / "log.jsonl").is_file()


def test_the_journal_is_on_the_disk_before_the_checkpoint(tmp_path: Path) -> None:
    disk = StoppingDisk("never", 0)
    mine = record(tmp_path, disk=disk)
    mine.begin(state(), resume=False)
    disk.done.clear()
    mine.write({"update": 1})
    mine.save(state())
    expected = [("append", "log.jsonl"), ("sync", "log.jsonl"), ("write", f"{CHECKPOINT}.draft")]
    assert disk.done[:3] == expected


def test_making_way_removes_what_a_kill_while_saving_left(tmp_path: Path) -> None:
    for name in ("model", ".model.abc.draft", ".model.12.old", "tensorboard"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "weights").write_text("")
    assert record(tmp_path).make_way() == tmp_path / "model"
    assert [path.name for path in tmp_path.iterdir()] == ["tensorboard"]


def test_the_model_is_on_the_disk_before_the_checkpoint_goes(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "weights").write_text("")
    (tmp_path / CHECKPOINT).write_text("")
    disk = StoppingDisk("never", 0)
    record(tmp_path, disk=disk).finish()
    assert disk.done == [("sync", "weights"), ("remove", CHECKPOINT), ("remove", BEST)]
    assert not (tmp_path / CHECKPOINT).exists()


def test_what_cannot_be_removed_is_told(tmp_path: Path) -> None:
    disk = StoppingDisk("remove", 1, OSError(errno.EACCES, "Permission denied"))
    with pytest.raises(WorkError, match="Permission denied"):
        record(tmp_path, disk=disk).finish()


def test_a_finished_run_is_told_and_rid_of_what_a_kill_left(tmp_path: Path) -> None:
    begun(tmp_path)
    mine = record(tmp_path, disk=StoppingDisk("remove", 2))
    mine.keep_best(state())
    (tmp_path / "model").mkdir()
    mine.put_json("scores.json", {})
    with pytest.raises(Stopped):
        mine.finish()
    assert (tmp_path / BEST).exists()
    with pytest.raises(RequestError, match=r"this run is finished.* Its encoder is in .*model"):
        record(tmp_path).begin(state(), resume=True)
    assert not (tmp_path / BEST).exists()


def test_json_is_stable_and_whole(tmp_path: Path) -> None:
    record(tmp_path).put_json("a.json", {"b": 1, "a": [1.5]})
    assert (tmp_path / "a.json").read_text() == '{\n  "a": [\n    1.5\n  ],\n  "b": 1\n}\n'
    assert json.loads((tmp_path / "a.json").read_text()) == {"b": 1, "a": [1.5]}


def test_a_token_cache_without_a_name_is_refused() -> None:
    with pytest.raises(RequestError, match="token_cache: the name is empty"):
        Recording(token_cache="")


@pytest.mark.parametrize("name", ["log_every", "save_every"])
def test_a_count_below_one_is_refused(name: str) -> None:
    with pytest.raises(RequestError, match=f"{name}: 0 is below 1"):
        Recording(**{name: 0})  # type: ignore[arg-type]
