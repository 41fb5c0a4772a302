"""A bar on the terminal: loss, score, time left. On anything but a terminal, a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_SECONDS_BETWEEN_LINES = 15.0


class TrainingProgress:
    """Use as a context; tell it of each update."""

    def __init__(self, total: int, *, done: int = 0, shown: bool = True) -> None:
        self.total, self.done, self.shown = total, done, shown
        self.score = ""
        self.began = self.spoken = time.monotonic()
        self.first = done
        self.bar: Progress | None = None
        if shown and sys.stderr.isatty():
            self.bar = Progress(
                TextColumn("training"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[words]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.bar.add_task("training", total=total, completed=done, words="")

    def __enter__(self) -> Self:
        if self.bar is not None:
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def watched(self, metric: str, score: float, best: float) -> None:
        self.score = f"{metric} {score:.2f} (best {best:.2f})"

    def advanced(self, update: int, loss: float) -> None:
        self.done = update
        words = f"loss {loss:.4f}  {self.score}"
        if self.bar is not None:
            self.bar.update(self.task, completed=update, words=words)
        elif self.shown and time.monotonic() - self.spoken > _SECONDS_BETWEEN_LINES:
            self.spoken = time.monotonic()
            sys.stderr.write(f"update {update}/{self.total}  {words}  about {self._left():.0f} s left\n")

    def _left(self) -> float:
        spent = time.monotonic() - self.began
        return spent / max(1, self.done - self.first) * (self.total - self.done)
