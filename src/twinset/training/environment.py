"""Where a run was made: what decides its bytes besides the run file."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil
import torch


def environment(device: torch.device, precision: str, seed: int) -> dict[str, Any]:
    """The machine, the versions, the number format and the threads."""
    packages = ("twinset", "torch", "transformers", "tokenizers", "numpy", "pyarrow")
    return {
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in packages},
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else device.type,
        "precision": precision,
        "threads": torch.get_num_threads(),
        "seed": seed,
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()
