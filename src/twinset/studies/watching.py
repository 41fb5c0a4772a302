"""What people see of a study while it goes on: a table that moves, or a line for each cell."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table

from twinset.studies.design import Cell
from twinset.studies.dev import dev_score
from twinset.studies.order import finished
from twinset.studies.worker import news

_BETWEEN = 1.0
"""Seconds between two looks at what the cells have written."""


class StudyProgress:
    """Use as a context, and hand to `run_study`."""

    def __init__(self) -> None:
        self.processes = 1
        self.cells: list[Cell] = []
        self.done: dict[Cell, Path] = {}
        self.failed: dict[Cell, str] = {}
        self.running: dict[Cell, tuple[Path, float]] = {}
        self.seconds: list[float] = []
        self.live: Live | None = None
        self.drawn = 0.0
        if sys.stderr.isatty():
            self.live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live is not None:
            self.live.stop()

    def stage(self, cells: Sequence[Cell], done: Mapping[Cell, Path], processes: int) -> None:
        self.cells, self.done, self.processes = list(cells), dict(done), processes
        self.failed, self.running = {}, {}
        self.seconds = [took for folder in done.values() if (took := seconds_of(folder)) is not None]
        if self.live is None and cells:
            what = "screening" if cells[0].screening else "study"
            _say(f"{what}: {len(cells)} cells, {len(done)} of them done")

    def began(self, cell: Cell, folder: Path) -> None:
        self.running[cell] = (folder, time.monotonic())

    def ended(self, cell: Cell, folder: Path, failed: str | None) -> None:
        _, began = self.running.pop(cell)
        if failed is None:
            self.done[cell] = folder
            self.seconds.append(seconds_of(folder) or time.monotonic() - began)
        else:
            self.failed[cell] = failed
        if self.live is None:
            _say(self._line(cell, folder, failed))
        elif failed is not None:
            self.live.console.print(f"failed: {cell}: {failed}", markup=False, highlight=False)

    def still(self) -> None:
        if self.live is not None and time.monotonic() - self.drawn > _BETWEEN:
            self.drawn = time.monotonic()
            self.live.update(self._table(), refresh=True)

    def left(self) -> float | None:
        """Seconds until the last cell of this stage ends, from those that have ended; None before that."""
        if not self.seconds:
            return None
        mean = sum(self.seconds) / len(self.seconds)
        now = time.monotonic()
        waiting = len(self.cells) - len(self.done) - len(self.failed) - len(self.running)
        begun = sum(max(0.0, mean - (now - began)) for _, began in self.running.values())
        return (waiting * mean + begun) / max(1, self.processes)

    def _line(self, cell: Cell, folder: Path, failed: str | None) -> str:
        number = len(self.done) + len(self.failed)
        head = f"[{number}/{len(self.cells)}] {cell}: "
        if failed is not None:
            return f"{head}failed: {failed}"
        dev = dev_score(folder, cell.variant.run)
        scored = "done" if dev is None else f"dev {100 * dev:.2f}"
        left = self.left()
        rest = f", about {duration(left)} left" if left else ""
        return f"{head}{scored} in {duration(self.seconds[-1])}{rest}"

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False)
        for name in ("variant", "done", "dev so far", "now"):
            table.add_column(name, justify="left" if name in {"variant", "now"} else "right")
        for name in dict.fromkeys(cell.variant.name for cell in self.cells):
            table.add_row(*self._row(name))
        left = self.left()
        table.caption = "" if left is None else f"about {duration(left)} left"
        return table

    def _row(self, name: str) -> tuple[str, str, str, str]:
        own = [cell for cell in self.cells if cell.variant.name == name]
        done = [cell for cell in own if cell in self.done]
        scores = [dev_score(self.done[cell], cell.variant.run) for cell in done]
        dev = [score for score in scores if score is not None]
        shown = f"{100 * sum(dev) / len(dev):.2f}" if dev else "-"
        now = [self._now(cell) for cell in own if cell in self.running]
        now += [f"seed {cell.seed} failed" for cell in own if cell in self.failed]
        return name, f"{len(done)}/{len(own)}", shown, "; ".join(now)

    def _now(self, cell: Cell) -> str:
        update, best = news(self.running[cell][0])
        return f"seed {cell.seed}: update {update}" + ("" if best is None else f", dev {100 * best:.2f}")


def seconds_of(folder: Path) -> float | None:
    """What a finished cell took, where it was trained in one go."""
    left = finished(folder)
    return None if left is None or not left.get("whole") else float(left["seconds"])


def duration(seconds: float) -> str:
    """As people say it.

    >>> duration(42), duration(200), duration(7300)
    ('42 s', '3 min', '2.0 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
