"""twinset encodes a file of lines to a file of vectors."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.rig.worker import Go
from twinset.encoder import Encoder


def prepare(settings: dict[str, Any]) -> Go:
    """folder, source, target; precision (left out: the encoder's default)."""
    encoder = Encoder.from_pretrained(settings["folder"])
    precision = {"precision": settings["precision"]} if "precision" in settings else {}
    encoder.encode(["What is needed once is loaded before memory is measured."], **precision)

    def go(_order: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        rows = encoder.encode_file(settings["source"], settings["target"], **precision)
        return {"seconds": time.perf_counter() - began, "rows": rows}

    return go
