"""One process at a time in one folder; the lock of one that was killed is let go by the system."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from twinset.errors import RequestError, WorkError

LOCK = ".lock"


@contextmanager
def alone(folder: Path, what: str, *, patience: float = 0.0) -> Generator[None]:
    """Hold the folder's lock, waiting for it so many seconds; `what` another process would be doing there."""
    import fcntl  # not on every system; only studies need it

    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise WorkError(f"{folder}: cannot be written to: {error.strerror or error}") from error
    with file:
        until = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() >= until:
                    raise RequestError(
                        f"{folder}: {what} in another process; wait for it, or end it"
                    ) from error
                time.sleep(0.05)
        yield
