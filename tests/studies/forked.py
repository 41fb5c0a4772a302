"""A cell's process without the seconds that it takes to load the libraries: forked, not started anew.

What a study does with it is real: it reads its order from a pipe, holds its lock, can be killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
import types
from typing import IO

from twinset.studies import cell


class Forked:
    """As much of subprocess.Popen as the study asks for."""

    def __init__(self, command: list[str], *, stdout: IO[bytes], **_: object) -> None:
        assert command[-2:] == ["-m", "twinset.studies.cell"]
        reading, writing = os.pipe()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.setsid()
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                os.close(writing)
                for number in (1, 2):
                    os.dup2(stdout.fileno(), number)
                import sys

                sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 - pytest holds the one before
                sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
                code = cell.main(os.fdopen(reading))
                sys.stderr.flush()
            finally:
                os._exit(code)
        os.close(reading)
        self.stdin = os.fdopen(writing, "wb")

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        until = time.monotonic() + (600 if timeout is None else timeout)
        while self.poll() is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("cell", timeout or 0)
            time.sleep(0.005)
        assert self.returncode is not None
        return self.returncode

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


forking = types.SimpleNamespace(Popen=Forked, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired)
