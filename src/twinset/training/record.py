"""A run's folder: what is kept of it while it goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from twinset.errors import RequestError, WorkError
from twinset.training.checkpoint import BEST, CHECKPOINT, Saved, load_checkpoint, save_checkpoint
from twinset.training.disk import Disk, failing
from twinset.training.journal import JOURNAL, Journal, Sink, TensorBoard, holds_updates
from twinset.training.state import TrainState

MODEL = "model"
SCORES = "scores.json"
AUTO, OFF = "auto", "off"
"""Words of `Recording.token_cache` that are no folder."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """How a run is recorded. log_every: updates between two journal entries. save_every: updates between
    two checkpoints (one more is written after each look of the watch). token_cache: where tokens are kept for
    later runs: "auto" is the user's cache folder, for columns of 100,000 texts and more; "off" nowhere; a
    folder's name there, whatever the size."""

    log_every: int = 10
    save_every: int = 200
    tensorboard: bool = False
    progress: bool = True
    token_cache: str = AUTO
    disk: Disk = field(default_factory=Disk)

    def __post_init__(self) -> None:
        for name in ("log_every", "save_every"):
            if getattr(self, name) < 1:
                raise RequestError(f"{name}: {getattr(self, name)} is below 1")
        if not self.token_cache:
            raise RequestError("token_cache: the name is empty; name a folder, or say auto or off")


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
        if self.how.tensorboard:
            self.sinks.append(TensorBoard(self.folder, after=after))
        self.sinks.append(Journal(self.folder, self.how.disk, after=after))

    def _fresh(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise RequestError(f"{folder}: this is a file; name a folder for the run.")
        # A journal without any update was left by a run that stopped before it began: nothing to keep.
        journal = folder / JOURNAL
        begun = journal.exists() and holds_updates(journal)
        if begun or any((folder / name).exists() for name in (CHECKPOINT, MODEL, SCORES)):
            raise RequestError(
                f"{folder}: a run is already recorded here. Resume it, remove it, or name another folder."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkError(f"{folder}: the run's folder could not be made: {error.strerror}") from error

    def _resumed(self, state: TrainState, folder: Path) -> int:
        if not (folder / CHECKPOINT).exists() and (folder / SCORES).exists() and (folder / MODEL).exists():
            self.finish()  # the run may have been killed while it removed what only a resumed run needs
            raise RequestError(
                f"{folder}: this run is finished, there is nothing to resume. "
                f"Its encoder is in {folder / MODEL}."
            )
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
            for sink in self.sinks:
                sink.flush()
            saved = state.capture({"fingerprint": dict(self.fingerprint)})
            save_checkpoint(self.how.disk, self.folder, saved)

    def keep_best(self, state: TrainState) -> None:
        """These weights are the best so far."""
        weights = {name: value.clone() for name, value in state.learned().items()}
        if self.folder is None:
            self._best = weights
        else:
            save_checkpoint(self.how.disk, self.folder, Saved(tensors=weights, facts={}), BEST)

    def best(self) -> Mapping[str, torch.Tensor]:
        """The weights that `keep_best` kept last."""
        if self._best is not None:
            return self._best
        if self.folder is None:
            raise RequestError("the best weights: none were kept.")
        return load_checkpoint(self.folder, BEST).tensors

    def put_json(self, name: str, content: Mapping[str, Any]) -> None:
        if self.folder is not None:
            text = json.dumps(content, indent=2, sort_keys=True) + "\n"
            self.how.disk.put(self.folder / name, text.encode())

    def close(self) -> None:
        for sink in self.sinks:
            sink.close()

    def make_way(self) -> Path | None:
        """Where the model goes, rid of what a run killed while saving it has left."""
        if self.folder is None:
            return None
        for left in (self.folder / MODEL, *self.folder.glob(f".{MODEL}.*")):
            if left.is_dir():
                with failing(left):
                    shutil.rmtree(left)
        return self.folder / MODEL

    def finish(self) -> None:
        """The model is saved: once it is on the disk, the files that only a resumed run needs go."""
        if self.folder is not None:
            with failing(self.folder):
                for path in (self.folder / MODEL).rglob("*"):
                    self.how.disk.sync(path)
                # In this order: with the checkpoint gone the run counts as finished, without its best
                # weights it could not finish.
                for name in (CHECKPOINT, BEST):
                    self.how.disk.remove(self.folder / name)
