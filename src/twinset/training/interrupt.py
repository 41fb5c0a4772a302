"""Ctrl-C and a polite kill: finish the update, save, then stop. A second one stops at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Self


class Interrupt:
    """As a context: `asked` turns true at the first SIGINT or SIGTERM."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        # Handlers can only be set in the main thread; elsewhere the surrounding program decides.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._ask)
        return self

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            if handler is not None:  # None: set by another language's code, and out of Python's reach
                signal.signal(number, handler)  # pyright: ignore[reportArgumentType] - from signal itself
