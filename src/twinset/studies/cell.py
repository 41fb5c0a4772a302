"""The program behind a study's cell: trains one variant with one seed, scores it, and leaves it on the disk.

Its order is the first line on stdin. What follows is silence: when stdin ends, whoever gave the order is
gone, and so is this process, at once. What it has written by then is whole, and another one goes on from
there.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from twinset.encoder import Encoder
from twinset.errors import RequestError, TwinsetError, WorkError
from twinset.recipes import RunFile
from twinset.recipes.perform import MODEL, add_dev, perform
from twinset.recipes.sources import watch
from twinset.studies.clock import since_start
from twinset.studies.lock import LOCK, alone
from twinset.studies.order import CELL, TEST, WORDS, Order, changed, finished
from twinset.studies.probe import probe
from twinset.studies.tested import read_test, score
from twinset.training.checkpoint import CHECKPOINT
from twinset.training.disk import Disk, failing
from twinset.training.record import SCORES

_KEPT = (LOCK, WORDS)
_ORPHAN = 3
"""The exit code of a process whose study is gone."""
_PATIENCE = 20.0
"""Seconds that a killed study's last processes may take to be gone."""


def fill(order: Order) -> None:
    """Do what is still to be done in a cell's folder."""
    folder = Path(order.folder)
    with alone(folder, "this cell is being trained", patience=_PATIENCE):
        whole = not (folder / CHECKPOINT).exists()
        _make_way(folder, order)
        if finished(folder) is not None:
            return
        wanted = order.wanted
        _train(folder, wanted)
        if order.test is not None:
            # Always the encoder as it was saved: a study that was killed before this line has no other.
            score(_trained(folder), read_test(order.test), folder / TEST)
        left = {
            "test": order.scored_on,
            "learned": dict(order.learned),
            "judged": dict(order.judged),
            "seconds": round(since_start(), 2),
            "whole": whole,
            "threads": os.environ.get("OMP_NUM_THREADS"),
        }
        Disk().put(folder / CELL, (json.dumps(left) + "\n").encode())
        if order.models == "drop":
            shutil.rmtree(folder / MODEL, ignore_errors=True)


def _make_way(folder: Path, order: Order) -> None:
    """A cell of other settings goes where that was asked for; one tested on other data is tested again."""
    what = changed(folder, order)
    if what is not None and not order.redo:
        raise RequestError(f"{folder}: holds a cell of another {what}; --redo trains it anew")
    model = (folder / MODEL).is_dir()
    if what in {"run", "data"} or (what == "test" and not model):
        _clear(folder)
    elif what == "test":
        with failing(folder):
            for name in (CELL, TEST):
                (folder / name).unlink(missing_ok=True)


def _train(folder: Path, wanted: RunFile) -> None:
    if (folder / CHECKPOINT).is_file():
        perform(wanted, out=folder, resume=True)
    elif not _is_trained(folder):
        _clear(folder)  # what a run leaves that was killed before its first checkpoint
        perform(wanted, out=folder)
    elif wanted.data.dev is not None and "dev" not in json.loads((folder / SCORES).read_bytes()):
        watched, encoder = watch(wanted.data), _trained(folder)
        encoder.name = wanted.encoder  # as the run would have called it
        if watched is not None:
            add_dev(folder / SCORES, watched.evaluate(encoder))


def _is_trained(folder: Path) -> bool:
    return (folder / SCORES).is_file() and (folder / MODEL).is_dir()


def _trained(folder: Path) -> Encoder:
    return Encoder.from_pretrained(folder / MODEL)


def _clear(folder: Path) -> None:
    with failing(folder):
        # Last of all what says whose cell it was: killed in between, it is still known to be another's.
        for path in sorted(folder.iterdir(), key=lambda path: path.name == "run.toml"):
            if path.name in _KEPT:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def _until_silence(source: TextIO) -> None:
    """End with whoever gave the order, whatever is going on."""
    while source.readline():
        pass
    os._exit(_ORPHAN)


def _told(work: Callable[[], None]) -> int:
    """The exit code; the last line on stderr says what went wrong."""
    try:
        work()
    except TwinsetError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except MemoryError:
        sys.stderr.write("memory ran out; fewer processes need less\n")
        return WorkError.exit_code
    except Exception as error:  # noqa: BLE001 - the study goes on, and tells it
        traceback.print_exc()
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return WorkError.exit_code
    return 0


def main(source: TextIO) -> int:
    """Read the order, see to it that no orphan works on, and do it."""
    line = source.readline()
    if not line:
        return _ORPHAN
    order = Order.from_line(line)
    threading.Thread(target=_until_silence, args=(source,), daemon=True).start()
    if order.probe is None:
        return _told(lambda: fill(order))
    return _told(lambda: probe(order))


if __name__ == "__main__":
    code = main(sys.stdin)
    sys.stderr.flush()
    # Not through the interpreter's end: it would wait for the thread that holds stdin.
    os._exit(code)
