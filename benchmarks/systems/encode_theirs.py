"""sentence-transformers encodes: `model.encode(texts)` at its defaults, on one of its backends."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from sentence_transformers import SentenceTransformer

from benchmarks.rig.worker import Go


def prepare(settings: dict[str, Any]) -> Go:
    """folder, texts, max_length; backend; file: of the exported graph; dtype: of torch's weights."""
    model = SentenceTransformer(
        settings["folder"],
        device="cpu",
        backend=settings.get("backend", "torch"),
        model_kwargs=model_settings(settings),
    )
    model.max_seq_length = settings["max_length"]
    texts: list[str] = json.loads(Path(settings["texts"]).read_text(encoding="utf-8"))

    def go(order: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        vectors = model.encode(texts)
        seconds = time.perf_counter() - began
        if "save" in order:
            np.save(order["save"], np.asarray(vectors, dtype=np.float32))
        return {"seconds": seconds}

    return go


def model_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """What the backend is told: torch its number format, the others which file, and no export."""
    backend = settings.get("backend", "torch")
    if backend == "torch":
        return {"dtype": settings.get("dtype", "float32")}
    provider = {"provider": "CPUExecutionProvider"} if backend == "onnx" else {}
    return {"file_name": settings["file"], "export": False, **provider}
