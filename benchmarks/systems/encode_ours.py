"""twinset encodes: texts to vectors, with torch or through an exported graph."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rig.worker import Go
from twinset.encoder import Encoder


def prepare(settings: dict[str, Any]) -> Go:
    """folder, texts, max_length; precision (left out: the encoder's default); backend (left out: torch)."""
    chosen = {"backend": settings["backend"]} if "backend" in settings else {}
    encoder = Encoder.from_pretrained(settings["folder"], max_length=settings["max_length"], **chosen)
    texts: list[str] = json.loads(Path(settings["texts"]).read_text(encoding="utf-8"))
    precision = {"precision": settings["precision"]} if "precision" in settings else {}

    def go(order: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        vectors = encoder.encode(texts, **precision)
        seconds = time.perf_counter() - began
        if "save" in order:
            np.save(order["save"], vectors)
        return {"seconds": seconds}

    return go
