"""The run's diary: one JSON object a line, and TensorBoard where asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from twinset.errors import RequestError, WorkError
from twinset.training.disk import Disk, failing

JOURNAL = "log.jsonl"


class Sink(Protocol):
    """Somewhere entries go."""

    def write(self, entry: Mapping[str, Any]) -> None: ...

    def flush(self) -> None:
        """What was written so far is on the disk: a checkpoint is about to be."""
        ...

    def close(self) -> None: ...


class Journal:
    """`log.jsonl` of a run folder. A resumed run first forgets what came after its checkpoint."""

    def __init__(self, folder: Path, disk: Disk, *, after: int | None = None) -> None:
        """`after`: the update of the checkpoint that the run resumes from; None: a new run."""
        self.path = folder / JOURNAL
        self.disk = disk
        kept: list[bytes] = []
        if after is not None and self.path.is_file():
            kept = [line for line in self.path.read_bytes().splitlines() if _until(line, after)]
        self.disk.put(self.path, b"".join(line + b"\n" for line in kept))

    def write(self, entry: Mapping[str, Any]) -> None:
        line = json.dumps(entry, allow_nan=True).encode() + b"\n"
        with failing(self.path):
            self.disk.append(self.path, line)

    def flush(self) -> None:
        with failing(self.path):
            self.disk.sync(self.path)

    def close(self) -> None:
        return


def holds_updates(path: Path) -> bool:
    """Whether a journal speaks of any update after the start (or is no journal of ours at all)."""
    lines = path.read_bytes().splitlines()
    # The start's own line may be cut off, where the run was killed while writing it.
    return not all(_until(line, 0) or line.startswith(b'{"update": 0') for line in lines)


def _until(line: bytes, update: int) -> bool:
    """Whether a line is whole and speaks of no later update."""
    try:
        return int(json.loads(line)["update"]) <= update
    except (ValueError, KeyError, TypeError):
        return False


class TensorBoard:
    """The same entries as TensorBoard scalars. Of a resumed run's, those after its checkpoint are void."""

    def __init__(self, folder: Path, *, after: int | None = None) -> None:
        try:
            from torch.utils.tensorboard.writer import SummaryWriter
        except ImportError as error:
            raise RequestError("tensorboard is not installed: pip install 'twinset[tensorboard]'.") from error
        try:
            purge = None if after is None else after + 1
            self.writer = SummaryWriter(str(folder / "tensorboard"), purge_step=purge)
        except OSError as error:
            raise WorkError(f"{folder}: TensorBoard cannot write here: {error}") from error

    def write(self, entry: Mapping[str, Any]) -> None:
        for name, value in _flat(entry):
            self.writer.add_scalar(name, value, int(entry["update"]))

    def flush(self) -> None:
        self.writer.flush()

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
