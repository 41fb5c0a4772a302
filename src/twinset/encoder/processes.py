"""One pass of texts through copies of an encoder, each in a process of its own.

Windows of texts go out in turn and their vectors come back in order; each process holds two at most, so
memory stays bounded however many texts there are. The processes are programs of their own
(`twinset.encoder.worker`), so a script needs no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import copy
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import IO, Self, cast, final

import numpy as np
import torch
from numpy.typing import NDArray

from twinset.encoder.encode import Pass, Truncated
from twinset.encoder.tokenize import windows
from twinset.errors import WorkError

SHARE = 2_048
"""Texts handed to a process at once: fewer than a window, so that short work is shared, too."""

_AHEAD = 2  # windows that wait at a process: it is never idle


def blocks_of(run: Pass, texts: Iterable[str], processes: int) -> Iterator[NDArray[np.float32]]:
    """`run.blocks(texts)`, by so many processes."""
    if processes == 1:
        yield from run.blocks(texts)
        return
    truncated = Truncated(run.max_length)
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(run, number, processes)) for number in range(processes)]
        waiting: deque[Worker] = deque()
        for number, window in enumerate(windows(texts, SHARE)):
            worker = workers[number % processes]
            if len(waiting) == processes * _AHEAD:
                yield waiting.popleft().receive(truncated)
            worker.send(window)
            waiting.append(worker)
        while waiting:
            yield waiting.popleft().receive(truncated)
    truncated.tell()


@final
class Worker:
    """One process with a copy of the encoder: windows in, vectors out."""

    def __init__(self, run: Pass, number: int, processes: int) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-m", "twinset.encoder.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._number, self._processes, self._run = number, processes, run
        self._found: queue.SimpleQueue[object] = queue.SimpleQueue()
        # Read at once: a process that waits to be heard would not hear what it is sent.
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()

    def __enter__(self) -> Self:
        device, backbone = self._run.device, self._run.backbone
        if device.type == "cuda":
            device = torch.device("cuda", self._number % torch.cuda.device_count())
            backbone = copy.deepcopy(backbone).to("cpu")
        threads = max(1, torch.get_num_threads() // self._processes)
        self._put((replace(self._run, backbone=backbone), str(device), threads))
        return self

    def send(self, window: list[str]) -> None:
        """Texts to embed; `receive` gives their vectors."""
        self._put(window)

    def receive(self, truncated: Truncated) -> NDArray[np.float32]:
        """The vectors of the window that was sent first of those not yet received."""
        found = self._found.get()
        if found is None:
            raise self._died()
        if isinstance(found, Exception):
            raise found
        vectors, seen, cut = cast("tuple[NDArray[np.float32], int, int]", found)
        truncated.add(seen, cut)
        return vectors

    def _listen(self) -> None:
        with cast("IO[bytes]", self._program.stdout) as source:
            try:
                while True:
                    self._found.put(pickle.load(source))  # noqa: S301 - from our own process
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                self._found.put(None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._program.kill()
        try:
            cast("IO[bytes]", self._program.stdin).close()
        except OSError:  # it died, and what was left to send has nowhere to go
            self._program.kill()
        self._program.wait()
        self._ear.join()

    def _put(self, content: object) -> None:
        target = cast("IO[bytes]", self._program.stdin)
        try:
            pickle.dump(content, target, protocol=pickle.HIGHEST_PROTOCOL)
            target.flush()
        except OSError as error:
            raise self._died() from error

    def _died(self) -> WorkError:
        code = self._program.wait()
        why = "perhaps memory ran out; fewer processes need less" if code < 0 else "see its message above"
        return WorkError(f"Process {self._number + 1} of {self._processes} ended with code {code}: {why}.")
