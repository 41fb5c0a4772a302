"""How long a cell takes: from the start of its process, whose libraries are a good part of a short cell."""

from __future__ import annotations

import time

import psutil


def since_start() -> float:
    """Seconds since this process was started."""
    return time.time() - psutil.Process().create_time()
