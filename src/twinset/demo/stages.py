"""The demo as it goes: what is being done, since when, and how long each stage took."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar, final

Item = TypeVar("Item")
Tell = Callable[[str], None]


@final
class Stages:
    """Stages follow one another; `seconds` has those that are over, in order. bars: whether somebody watches
    a terminal."""

    def __init__(self, tell: Tell, *, bars: bool) -> None:
        self.bars = bars
        self.seconds: dict[str, float] = {}
        self._tell = tell
        self._began = time.perf_counter()

    @contextmanager
    def stage(self, name: str, words: str) -> Generator[None]:
        """Say what begins now; afterwards its time is kept."""
        self.note(words)
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began

    def note(self, words: str) -> None:
        """Say something, with the time since the start in front."""
        minutes, seconds = divmod(int(self.total), 60)
        self._tell(f"{minutes}:{seconds:02}  {words}")

    @property
    def total(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._began

    def through(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items one by one, with a bar where somebody watches."""
        if not self.bars:
            yield from items
            return
        from rich.console import Console
        from rich.progress import track

        each = list(items)
        yield from track(each, description="reading", console=Console(stderr=True), transient=True)
