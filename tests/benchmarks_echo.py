"""A system that does nothing but say whose turn it is: what a benchmark's worker runs in the tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.rig.worker import Go


def prepare(settings: dict[str, Any]) -> Go:
    sys.stdout.write("libraries print what they like\n")
    if settings.get("refuse"):
        raise ValueError(settings["refuse"])

    def go(order: dict[str, Any]) -> dict[str, Any]:
        sys.stdout.write("also while they work\n")
        if settings.get("die"):
            sys.stderr.write("my last words\n")
            sys.stderr.flush()
            os._exit(3)
        if "log" in settings:
            with Path(settings["log"]).open("a", encoding="utf-8") as log:
                log.write(settings["name"])
        return {"seconds": settings.get("seconds", 1.0), "order": order, "process": os.getpid()}

    return go
