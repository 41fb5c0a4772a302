"""How much memory this process holds, and held at most.

Linux keeps the peak and can forget it; elsewhere the peak is that of the process's whole life. What
`getrusage` says of a child is at least what its parent held when it was started, so it is no first choice.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def resident() -> float:
    """MiB now (the peak, where the system does not say)."""
    return _told("VmRSS") if _STATUS.exists() else _lifelong()


def peak() -> float:
    """MiB at most, since `forget_peak` where that is possible."""
    return _told("VmHWM") if _STATUS.exists() else _lifelong()


def forget_peak() -> None:
    """From here on the peak counts anew, where the system can do that."""
    if _FORGET.exists():
        try:
            _FORGET.write_text("5", encoding="ascii")
        except OSError:
            return


def _told(name: str) -> float:
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))


def _lifelong() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)
