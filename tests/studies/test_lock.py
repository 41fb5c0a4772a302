from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from twinset.errors import RequestError, WorkError
from twinset.studies.lock import LOCK, alone


def test_one_at_a_time(tmp_path: Path) -> None:
    with (
        alone(tmp_path / "a", "work"),
        pytest.raises(RequestError, match="work in another process"),
        alone(tmp_path / "a", "work"),
    ):
        pass
    with alone(tmp_path / "a", "work"):
        pass


def test_the_lock_of_a_killed_process_is_waited_for(tmp_path: Path) -> None:
    pid = os.fork()
    if pid == 0:
        with alone(tmp_path, "work"):
            (tmp_path / "held").write_text("")
            time.sleep(60)
    while not (tmp_path / "held").exists():
        time.sleep(0.01)
    with pytest.raises(RequestError), alone(tmp_path, "work"):
        pass
    os.kill(pid, signal.SIGKILL)
    with alone(tmp_path, "work", patience=10):
        assert (tmp_path / LOCK).exists()
    os.waitpid(pid, 0)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkError, match="cannot be written to"), alone(tmp_path / "file" / "a", "work"):
        pass
