"""How fast a run learns and how much memory it takes; time spent watching does not count."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

import torch


class Meter:
    """Sentences since the last reading, over the seconds since then."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.sentences = 0
        self.since = time.perf_counter()

    def learned(self, sentences: int) -> None:
        self.sentences += sentences

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time in here is not learning."""
        began = time.perf_counter()
        yield
        self.since += time.perf_counter() - began

    def read(self) -> dict[str, float]:
        """Speed since the last reading, and the peak of memory so far."""
        now = time.perf_counter()
        speed = self.sentences / max(now - self.since, 1e-9)
        self.sentences, self.since = 0, now
        return {"sentences_per_second": round(speed, 1), "memory_mib": round(self._peak(), 1)}

    def _peak(self) -> float:
        if self.device.type == "cuda":
            return torch.cuda.max_memory_allocated(self.device) / 2**20
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
