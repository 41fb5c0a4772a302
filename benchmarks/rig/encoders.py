"""The encoders that are measured, as folders that every system reads: the same weights, in fp32."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from benchmarks.sts_protocol import PACKAGE
from twinset.encoder import Encoder

NAMES = {"mini": "built-in encoder (4 layers x 256)", "minilm": "all-MiniLM-L6-v2 (6 layers x 384)"}


def load(name: str, *, max_length: int | None = None) -> Encoder:
    """`mini`, or `minilm` from the package that carries it."""
    if name == "mini":
        return Encoder.from_pretrained("mini", max_length=max_length)
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise SystemExit(f"{PACKAGE} is not installed: it belongs to the `dev` extra")
    return Encoder.from_pretrained(Path(found.origin).parent / "model", max_length=max_length)


def folder(name: str, place: Path) -> Path:
    """A sentence-transformers folder below `place`, written the first time it is asked for."""
    target = place / name
    if not target.exists():
        load(name).save_pretrained(target)
    return target
