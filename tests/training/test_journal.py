from __future__ import annotations

import errno
import json
import sys
from pathlib import Path

import pytest

from tests.training.runs import StoppingDisk
from twinset.errors import RequestError, WorkError
from twinset.training.disk import Disk
from twinset.training.journal import Journal, TensorBoard, holds_updates


def lines(*updates: int) -> bytes:
    return b"".join(json.dumps({"update": update, "loss": 0.5}).encode() + b"\n" for update in updates)


def test_a_new_journal_is_empty_and_grows_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(0))
    journal = Journal(tmp_path, Disk())
    assert path.read_bytes() == b""
    journal.write({"update": 1, "loss": 0.5})
    journal.write({"update": 2, "loss": 0.5})
    journal.flush()
    assert path.read_bytes() == lines(1, 2)


def test_a_resumed_journal_forgets_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(0, 1, 2, 2, 3, 4))
    Journal(tmp_path, Disk(), after=2).write({"update": 3, "loss": 0.5})
    assert path.read_bytes() == lines(0, 1, 2, 2, 3)


def test_a_line_cut_off_by_a_kill_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(1, 2) + b'{"update": 2, "lo')
    Journal(tmp_path, Disk(), after=2)
    assert path.read_bytes() == lines(1, 2)


def test_a_lost_journal_begins_anew(tmp_path: Path) -> None:
    Journal(tmp_path, Disk(), after=2).write({"update": 3, "loss": 0.5})
    assert (tmp_path / "log.jsonl").read_bytes() == lines(3)


@pytest.mark.parametrize("kind", ["append", "sync"])
def test_a_full_disk_is_told(kind: str, tmp_path: Path) -> None:
    disk = StoppingDisk("never", 0, OSError(errno.ENOSPC, "No space left on device"))
    journal = Journal(tmp_path, disk)
    disk.kind, disk.number = kind, 1 + sum(each == kind for each, _ in disk.done)
    act = journal.flush if kind == "sync" else lambda: journal.write({"update": 1})
    with pytest.raises(WorkError, match=r"log\.jsonl: .*the disk is full"):
        act()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", False),
        (lines(0), False),
        (lines(0) + b'{"update": 0, "wat', False),
        (lines(0, 1), True),
        (b"something of someone else's\n", True),
        (b"[]\n", True),
    ],
)
def test_holds_updates(content: bytes, expected: bool, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    assert holds_updates(path) is expected


def test_tensorboard_keeps_every_number_and_voids_what_a_resumed_run_redoes(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    first = TensorBoard(tmp_path)
    for update in (1, 2, 3):
        first.write({"update": update, "loss": 0.5, "parts": {"nce": float(update)}, "watch": "words"})
    first.flush()
    first.close()
    second = TensorBoard(tmp_path, after=2)
    second.write({"update": 3, "loss": 0.25})
    second.close()
    found = EventAccumulator(str(tmp_path / "tensorboard"))
    found.Reload()
    assert [(event.step, event.value) for event in found.Scalars("loss")] == [(1, 0.5), (2, 0.5), (3, 0.25)]
    assert [event.value for event in found.Scalars("parts/nce")] == [1.0, 2.0]


def test_without_tensorboard_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard.writer", None)
    with pytest.raises(RequestError, match=r"pip install 'twinset\[tensorboard\]'"):
        TensorBoard(tmp_path)
