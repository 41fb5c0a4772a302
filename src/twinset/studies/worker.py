"""A process that does one order, seen from the study: started, looked after, ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast, final

from twinset.errors import WorkError
from twinset.studies.order import WORDS, Order
from twinset.training.journal import JOURNAL

_GRACE = 60.0
"""Seconds for an update to end and its checkpoint to be written."""


@final
class Worker:
    """`python -m twinset.studies.cell` with an order. It dies when this process does: its stdin ends then."""

    def __init__(self, order: Order, threads: int) -> None:
        self.folder = Path(order.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._words = self.folder / WORDS
        self._from = self._words.stat().st_size if self._words.is_file() else 0
        self.began = time.monotonic()
        with self._words.open("ab") as words:
            self.program = subprocess.Popen(
                [sys.executable, "-P", "-m", "twinset.studies.cell"],
                stdin=subprocess.PIPE,
                stdout=words,
                stderr=words,
                env=_environment(threads),
                start_new_session=True,  # Ctrl-C is the study's to handle
            )
        target = cast("IO[bytes]", self.program.stdin)
        with suppress(BrokenPipeError):  # it died, and `ended` tells
            target.write(order.to_line().encode())
            target.flush()

    def ended(self) -> int | None:
        """The exit code; None while it works."""
        return self.program.poll()

    def said(self) -> list[str]:
        """What it wrote, line by line."""
        with self._words.open("rb") as file:
            file.seek(self._from)
            lines = file.read().decode("utf-8", "replace").splitlines()
        return [line.strip() for line in lines if line.strip()]

    def last_words(self) -> str:
        """Why it failed, in a line."""
        code, said = self.ended(), self.said()
        if code is not None and code < 0:
            name = signal.Signals(-code).name
            why = "; perhaps memory ran out: fewer processes need less" if name == "SIGKILL" else ""
            return f"ended by {name}{why}"
        return said[-1] if said else f"ended with code {code} and without a word"

    def stop(self) -> None:
        """Ask it to save and end."""
        if self.ended() is None:
            self.program.terminate()

    def gone(self, patience: float = _GRACE) -> None:
        """Wait until it has ended; end it where it does not."""
        try:
            self.program.wait(patience)
        except subprocess.TimeoutExpired:
            self.program.kill()
            self.program.wait()
        with suppress(BrokenPipeError):
            cast("IO[bytes]", self.program.stdin).close()


def news(folder: Path) -> tuple[int, float | None]:
    """Of a run on its way: the last update written down, and the best score on dev so far."""
    update, best = 0, None
    try:
        lines = (folder / JOURNAL).read_bytes().splitlines()
    except OSError:
        return 0, None
    for line in lines:
        entry = _entry(line)
        update = max(update, int(entry.get("update", 0)))
        watched = cast("Mapping[str, float]", entry.get("watch", {}))
        if watched and entry["update"] > 0:
            score = next(iter(watched.values()))
            best = score if best is None else max(best, score)
    return update, best


def _entry(line: bytes) -> Mapping[str, Any]:
    try:
        return cast("Mapping[str, Any]", json.loads(line))
    except ValueError:  # cut off: it is being written
        return {}


def _environment(threads: int) -> dict[str, str]:
    count = str(threads)
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "OMP_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "TOKENIZERS_PARALLELISM": "false",
    }


def answered(worker: Worker) -> Mapping[str, Any]:
    """The JSON object that a probe ended with."""
    worker.program.wait()
    if worker.program.returncode != 0:
        raise WorkError(f"the probe failed: {worker.last_words()}")
    return _entry(worker.said()[-1].encode())
