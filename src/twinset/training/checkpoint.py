"""A checkpoint: one file that holds everything a run needs to go on as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from twinset.errors import RequestError
from twinset.training.disk import Disk

CHECKPOINT = "checkpoint.safetensors"
BEST = "best.safetensors"


@dataclass(frozen=True, kw_only=True)
class Saved:
    """Tensors by name, and facts: plain values that JSON can hold."""

    tensors: Mapping[str, Tensor]
    facts: Mapping[str, Any]


def save_checkpoint(disk: Disk, folder: Path, saved: Saved, name: str = CHECKPOINT) -> None:
    """Replace the folder's checkpoint at once."""
    disk.put_tensors(folder / name, saved.tensors, saved.facts)


def load_checkpoint(folder: Path, name: str = CHECKPOINT) -> Saved:
    """Read it back; a missing or foreign file is told in words."""
    path = folder / name
    if not path.is_file():
        raise RequestError(f"{path}: there is no such checkpoint. Start the run without resume.")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a mapping
        return Saved(tensors=tensors, facts=dict(json.loads(metadata["facts"])))
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise RequestError(f"{path}: this is no checkpoint of a twinset run ({error}).") from error
