"""Errors become a line and an exit code, in one place."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from tests.cli.command import twinset
from twinset.cli.app import app
from twinset.errors import RequestError, WorkError


@pytest.fixture
def failing() -> Callable[[BaseException], None]:
    """Gives the app a command that raises what it is told, for the time of a test."""

    def arrange(error: BaseException) -> None:
        def fail() -> None:
            raise error

        app.command()(fail)

    before = list(app.registered_commands)
    yield arrange
    app.registered_commands[:] = before


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (RequestError("x: cannot be"), 2, "twinset: x: cannot be\n"),
        (WorkError("y: failed"), 1, "twinset: y: failed\n"),
        (OSError(errno.ENOSPC, "No space left on device", "z.npy"), 1, "twinset: z.npy: No space left"),
        (PermissionError(errno.EACCES, "Permission denied", "q"), 2, "twinset: q: Permission denied\n"),
        (KeyboardInterrupt(), 1, "twinset: interrupted"),
    ],
)
def test_errors_are_told(
    failing: Callable[[BaseException], None], error: BaseException, code: int, message: str
) -> None:
    failing(error)
    result = twinset("fail")
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_debug_shows_where(failing: Callable[[BaseException], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINSET_DEBUG", "1")
    failing(RequestError("x"))
    result = twinset("fail")
    assert "Traceback" in result.err
    assert result.err.endswith("twinset: x\n")


def test_a_fault_of_ours_is_not_hidden(failing: Callable[[BaseException], None]) -> None:
    failing(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        twinset("fail")


def test_version_and_help() -> None:
    assert twinset("--version").out == "twinset 0.1.0\n"
    assert twinset("--help").code == 0
    assert twinset().code == 2


def test_a_closed_pipe_is_quiet() -> None:
    program = [sys.executable, "-m", "twinset", "init"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(program, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_help_is_quick() -> None:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "twinset", "--help"], capture_output=True, check=True)
    assert time.perf_counter() - began < 2, "0.2 s on an idle machine"
