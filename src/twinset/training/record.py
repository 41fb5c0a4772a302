"""A run's folder: what is kept of it while it goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from twinset.errors import RequestError, WorkError
from twinset.training.checkpoint import BEST, CHECKPOINT, Saved, load_checkpoint, save_checkpoint
from twinset.training.disk import Disk
from twinset.training.journal import Journal, Sink, TensorBoard
from twinset.training.state import TrainState


@dataclass(frozen=True, kw_only=True)
class Recording:
    """How a run is recorded. log_every: updates between two journal entries. save_every: updates between
    two checkpoints (one more is written after each look of the watch)."""

    log_every: int = 10
    save_every: int = 200
    tensorboard: bool = False
    progress: bool = True
    disk: Disk = field(default_factory=Disk)

    def __post_init__(self) -> None:
        for name in ("log_every", "save_every"):
            if getattr(self, name) < 1:
                raise RequestError(f"{name}: {getattr(self, name)} is below 1")


class Record:
    """The folder of one run (or none: then nothing is written, and the best weights stay in memory)."""

    def __init__(self, folder: Path | None, how: Recording, fingerprint: Mapping[str, str]) -> None:
        self.folder, self.how, self.fingerprint = folder, how, fingerprint
        self.sinks: list[Sink] = []
        self._best: dict[str, torch.Tensor] | None = None

    def begin(self, state: TrainState, *, resume: bool) -> None:
        """Make the folder, or read the checkpoint in it back into `state`."""
        if self.folder is None:
            if resume:
                raise RequestError("resume needs the run's folder: out=...")
            return
        after = self._resumed(state, self.folder) if resume else self._fresh(self.folder)
        self.sinks.append(Journal(self.folder, self.how.disk, after=after))
        if self.how.tensorboard:
            self.sinks.append(TensorBoard(self.folder))

    def _fresh(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise RequestError(f"{folder}: this is a file; name a folder for the run.")
        if any((folder / name).exists() for name in (CHECKPOINT, "model", "log.jsonl")):
            raise RequestError(
                f"{folder}: a run is already recorded here. Resume it, remove it, or name another folder."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkError(f"{folder}: the run's folder could not be made: {error.strerror}") from error

    def _resumed(self, state: TrainState, folder: Path) -> int:
        saved = load_checkpoint(folder)
        for name, value in self.fingerprint.items():
            if saved.facts.get("fingerprint", {}).get(name) != value:
                raise RequestError(f"{folder}: cannot resume, the {name} is not the one this run began with.")
        state.restore(saved)
        return state.update

    def write(self, entry: Mapping[str, Any]) -> None:
        for sink in self.sinks:
            sink.write(entry)

    def save(self, state: TrainState) -> None:
        """Write the checkpoint."""
        if self.folder is not None:
            saved = state.capture({"fingerprint": dict(self.fingerprint)})
            save_checkpoint(self.how.disk, self.folder, saved)

    def keep_best(self, state: TrainState) -> None:
        """These weights are the best so far."""
        weights = {name: value.detach().clone() for name, value in state.backbone.state_dict().items()}
        if self.folder is None:
            self._best = weights
        else:
            save_checkpoint(self.how.disk, self.folder, Saved(tensors=weights, facts={}), BEST)

    def best(self) -> Mapping[str, torch.Tensor] | None:
        """The best weights kept, if any were."""
        if self.folder is None:
            return self._best
        if not (self.folder / BEST).is_file():
            return None
        return load_checkpoint(self.folder, BEST).tensors

    def put_json(self, name: str, content: Mapping[str, Any]) -> None:
        if self.folder is not None:
            text = json.dumps(content, indent=2, sort_keys=True) + "\n"
            self.how.disk.put(self.folder / name, text.encode())

    def close(self) -> None:
        for sink in self.sinks:
            sink.close()

    def finish(self) -> None:
        """The model is saved: the files that only a resumed run needs go."""
        if self.folder is not None:
            for name in (CHECKPOINT, BEST):
                self.how.disk.remove(self.folder / name)


def fingerprint_of(arrays: Mapping[str, list[bytes]]) -> dict[str, str]:
    """A short hash for each named part of what a run is made from."""
    found: dict[str, str] = {}
    for name, pieces in arrays.items():
        digest = hashlib.blake2b(digest_size=12)
        for piece in pieces:
            digest.update(piece)
        found[name] = digest.hexdigest()
    return found
