"""Files that are whole or not there: written under another name, flushed to disk, then renamed.

A process killed between any two of these operations, or within one, leaves the old file as it was.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from safetensors.torch import save
from torch import Tensor

from twinset.errors import WorkError


class Disk:
    """The file operations a run makes. Each is one method, so that a test can fail any of them."""

    def write(self, path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content)

    def append(self, path: Path, content: bytes) -> None:
        with path.open("ab") as file:
            file.write(content)

    def sync(self, path: Path) -> None:
        """Wait until the file, or the folder's list of names, is on the disk."""
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, source: Path, target: Path) -> None:
        source.replace(target)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def put(self, path: Path, content: bytes) -> None:
        """Write a whole file, or leave the one that was there."""
        draft = path.with_name(path.name + ".draft")
        try:
            with failing(path):
                self.write(draft, content)
                self.sync(draft)
                self.rename(draft, path)
                self.sync(path.parent)
        except WorkError:
            with suppress(OSError):  # what went wrong first is what the user must hear of
                draft.unlink(missing_ok=True)
            raise

    def put_tensors(self, path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
        """Tensors and what belongs to them, in one safetensors file."""
        flat = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
        self.put(path, save(flat, metadata={"facts": json.dumps(facts)}))


@contextmanager
def failing(path: Path) -> Generator[None]:
    """What goes wrong inside becomes the message for a file that could not be written."""
    try:
        yield
    except OSError as error:
        why = "the disk is full" if error.errno == errno.ENOSPC else (error.strerror or str(error))
        raise WorkError(f"{path}: could not be written: {why}. What was written before is kept.") from error
