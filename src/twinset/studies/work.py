"""All cells of a stage, some at a time: what is done is left alone, what fails is told and stops no other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from twinset.errors import RequestError, WorkError
from twinset.recipes import to_toml
from twinset.studies.design import Cell, Study
from twinset.studies.digests import digests
from twinset.studies.machine import Share
from twinset.studies.order import Order, changed, finished
from twinset.studies.tested import whole_paths
from twinset.studies.worker import Worker

_BETWEEN = 0.05
"""Seconds between two looks at the processes."""
_CHANGED = {"run": "its run file", "data": "the data it learned from", "test": "what it is tested on"}


class Watching(Protocol):
    """Whoever shows what goes on."""

    def stage(self, cells: Sequence[Cell], done: Mapping[Cell, Path], processes: int) -> None: ...

    def began(self, cell: Cell, folder: Path) -> None: ...

    def ended(self, cell: Cell, folder: Path, failed: str | None) -> None: ...

    def still(self) -> None:
        """Called often while cells are on their way."""
        ...


@dataclass(frozen=True, kw_only=True)
class Work:
    """A study in its folder, with the cells it may train at a time."""

    study: Study
    folder: Path
    share: Share
    redo: bool = False

    def place(self, cell: Cell) -> Path:
        return self.folder / cell.place

    def order(self, cell: Cell) -> Order:
        """What the cell's process is told."""
        settings, run = self.study.settings, cell.variant.seeded(cell.seed)
        test = None if cell.screening else whole_paths(settings.test)
        return Order(
            folder=str(self.place(cell).resolve()),
            run=to_toml(run),
            test=test,
            learned=digests([run.data.train, run.data.dev]),
            judged=digests(() if test is None else test.files),
            models=settings.models,
            redo=self.redo,
        )

    def is_done(self, cell: Cell) -> bool:
        place = self.place(cell)
        return finished(place) is not None and changed(place, self.order(cell)) is None

    def check(self, cells: Sequence[Cell]) -> None:
        """That no cell would be thrown away without a word."""
        if self.redo:
            return
        what = {cell: changed(self.place(cell), self.order(cell)) for cell in cells}
        other = [cell for cell, which in what.items() if which is not None]
        if other:
            first = other[0]
            words = _CHANGED[what[first] or "run"]
            more = f", and {len(other) - 1} more" if len(other) > 1 else ""
            raise RequestError(
                f"{self.place(first)}: holds {first} with other settings ({words} changed){more}; --redo "
                "trains them anew, --out names another folder, or give the variant another name"
            )

    def do(self, cells: Sequence[Cell], watching: Watching) -> dict[Cell, str]:
        """Train and score what is not done; what failed, with its last words."""
        done = {cell: self.place(cell) for cell in cells if self.is_done(cell)}
        waiting = [cell for cell in cells if cell not in done]
        watching.stage(cells, done, self.share.processes)
        failed: dict[Cell, str] = {}
        running: dict[Cell, Worker] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.share.processes:
                    cell = waiting.pop(0)
                    running[cell] = Worker(self.order(cell), self.share.threads)
                    watching.began(cell, self.place(cell))
                self._collect(running, failed, watching)
                watching.still()
                time.sleep(_BETWEEN)
        except BaseException:
            _stop(list(running.values()))
            raise
        return failed

    def _collect(self, running: dict[Cell, Worker], failed: dict[Cell, str], watching: Watching) -> None:
        for cell, worker in list(running.items()):
            if worker.ended() is None:
                continue
            del running[cell]
            worker.gone()
            why = None if worker.ended() == 0 else worker.last_words()
            if why is not None:
                failed[cell] = why
            elif not self.is_done(cell):
                raise WorkError(f"{self.place(cell)}: the cell ended well and left nothing")
            watching.ended(cell, self.place(cell), why)


def _stop(workers: Sequence[Worker]) -> None:
    """Each saves where it is; what does not end in time is ended, and goes on from its last checkpoint."""
    for worker in workers:
        worker.stop()
    for worker in workers:
        worker.gone()
