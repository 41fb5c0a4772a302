"""The run's diary: one JSON object a line, and TensorBoard where asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from twinset.errors import RequestError, WorkError
from twinset.training.disk import Disk, disk_error

JOURNAL = "log.jsonl"


class Sink(Protocol):
    """Somewhere entries go."""

    def write(self, entry: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


class Journal:
    """`log.jsonl` of a run folder. A resumed run first forgets what came after its checkpoint."""

    def __init__(self, folder: Path, disk: Disk, *, after: int | None = None) -> None:
        """`after`: the update of the checkpoint that the run resumes from; None: a new run."""
        self.path = folder / JOURNAL
        self.disk = disk
        if after is None:
            self.disk.put(self.path, b"")
        elif self.path.is_file():
            kept = [line for line in self.path.read_bytes().splitlines() if _until(line, after)]
            self.disk.put(self.path, b"".join(line + b"\n" for line in kept))

    def write(self, entry: Mapping[str, Any]) -> None:
        line = json.dumps(entry, allow_nan=True).encode() + b"\n"
        try:
            self.disk.append(self.path, line)
        except OSError as error:
            raise disk_error(self.path, error) from error

    def close(self) -> None:
        return


def _until(line: bytes, update: int) -> bool:
    """Whether a line is whole and speaks of no later update."""
    try:
        return int(json.loads(line)["update"]) <= update
    except (ValueError, KeyError, TypeError):
        return False


class TensorBoard:
    """The same entries as TensorBoard scalars."""

    def __init__(self, folder: Path) -> None:
        try:
            from torch.utils.tensorboard.writer import SummaryWriter  # noqa: PLC0415 - an optional extra
        except ImportError as error:
            raise RequestError("tensorboard is not installed: pip install 'twinset[tensorboard]'.") from error
        try:
            self.writer = SummaryWriter(str(folder / "tensorboard"))
        except OSError as error:
            raise WorkError(f"{folder}: TensorBoard cannot write here: {error}") from error

    def write(self, entry: Mapping[str, Any]) -> None:
        for name, value in _flat(entry):
            self.writer.add_scalar(name, value, int(entry["update"]))

    def close(self) -> None:
        self.writer.close()


def _flat(entry: Mapping[str, Any], prefix: str = "") -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for name, value in entry.items():
        if isinstance(value, Mapping):
            found.extend(_flat(value, f"{prefix}{name}/"))
        elif isinstance(value, (int, float)):
            found.append((prefix + name, float(value)))
    return found
