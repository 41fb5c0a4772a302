"""One system in a process of its own: prepares, says that it is ready, then works when it is told to.

    python -m benchmarks.rig.worker benchmarks.systems.encode_ours

One JSON object a line: settings come first, then orders; each is answered by one line. It needs nothing
but the standard library, since peers live in environments without twinset. What libraries print goes to
standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from benchmarks.rig import memory

Go = Callable[[dict[str, Any]], dict[str, Any]]


def main(module: str) -> int:
    """Answer until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(found: dict[str, Any]) -> None:
        answers.write(json.dumps(found) + "\n")
        answers.flush()

    try:
        go: Go = importlib.import_module(module).prepare(json.loads(sys.stdin.readline()))
        answer({"ready": True})
        for line in sys.stdin:
            answer(measured(go, json.loads(line)))
    except Exception as error:  # noqa: BLE001 - whatever it is, the one who asked must be told
        traceback.print_exc()
        answer({"error": f"{type(error).__name__}: {error}".splitlines()[0]})
        return 1
    return 0


def measured(go: Go, order: dict[str, Any]) -> dict[str, Any]:
    """What the work gave, and the memory held before it and at most during it (MiB)."""
    memory.forget_peak()
    before = memory.resident()
    found = go(order)
    return {**found, "memory_before": round(before, 1), "memory_peak": round(memory.peak(), 1)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
