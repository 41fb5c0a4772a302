"""Where each peer lives: `make bench-peers` makes the environments from the pins in `benchmarks/peers`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from benchmarks.rig.turns import ROOT

Peer = Literal["torch", "openvino", "onnx"]
PINS = ROOT / "benchmarks" / "peers"
HOME = ROOT / ".venv-peers"

OURS = Path(sys.executable)


def python_of(peer: Peer) -> Path:
    """The interpreter of a peer's environment."""
    python = HOME / peer / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"{HOME.name}/{peer} is missing: `make bench-peers` makes it")
    return python


def versions(peer: Peer) -> dict[str, str]:
    """What the record says of a peer: the pinned versions that matter to its speed."""
    told = ("sentence-transformers", "transformers", "torch", "tokenizers", "onnxruntime", "openvino")
    lines = (PINS / f"{peer}.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {name: pins[name] for name in told if name in pins}
