"""The loop: batches, updates, looks at the dev score, checkpoints. `train` is its one entrance."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from twinset.data import Dataset
from twinset.encoder.allocator import keeping_memory
from twinset.encoder.precision import resolve
from twinset.errors import RequestError, WorkError
from twinset.training.corpus import tokenised
from twinset.training.environment import environment
from twinset.training.fingerprint import fingerprint
from twinset.training.fit import check_arguments, check_fit
from twinset.training.interrupt import Interrupt
from twinset.training.learner import Learner
from twinset.training.meter import Meter
from twinset.training.progress import TrainingProgress
from twinset.training.recipe import Recipe
from twinset.training.record import Record, Recording
from twinset.training.state import Watched
from twinset.training.store import store
from twinset.types import Loss

if TYPE_CHECKING:
    from twinset.encoder import Encoder  # noqa: TC004 - a name in annotations alone; spares the import

Watch = Callable[["Encoder"], Mapping[str, float]]
"""What is watched: any callable from encoder to named scores, higher is better."""


_REMEDY = "A lower learning_rate, a higher temperature or precision = 'fp32' may help."


@dataclass(frozen=True, kw_only=True)
class Run:
    """A finished run. looks: what the watch said, first of the untouched encoder. best: the kept look
    (None without a watch, or where the last weights were kept). weights: the objective's own, of the same
    moment as the encoder's."""

    encoder: Encoder
    updates: int
    looks: tuple[Watched, ...]
    best: Watched | None
    weights: Mapping[str, Tensor]
    seconds: float
    truncated: int
    folder: Path | None


def train(
    encoder: Encoder,
    data: Dataset | Iterable[str] | str | Path,
    recipe: Recipe | None = None,
    *,
    dev: Watch | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    recording: Recording | None = None,
) -> Run:
    """Teach a copy of `encoder` the data; the encoder itself is left as it was.

    A run is a function of encoder, data, recipe and seed (and of machine, threads and precision, which
    `environment.json` records). With `out` it is recorded in a folder, and `resume=True` goes on from the
    folder's checkpoint exactly as if it had not stopped. A run that is finished has none: resuming it is a
    `RequestError` that says where its encoder is. data: what `twinset.data` reads; a list of texts, or a
    file's name, is read as sentences.
    """
    recipe, recording = recipe or Recipe(), recording or Recording()
    data = check_arguments(encoder, data, recipe, dev)
    if len(data) < 2:
        raise RequestError(f"data: {len(data)} row(s); contrast needs at least 2.")
    check_fit(data, recipe)
    pupil = encoder.copy()
    corpus = tokenised(
        pupil, data, recipe.max_length, cache=recording.token_cache, progress=recording.progress
    )
    precision = resolve(recipe.precision, pupil.device)
    learner = Learner(pupil, corpus, recipe, seed, precision)
    folder = None if out is None else Path(out)
    record = Record(folder, recording, fingerprint(learner, recipe, seed))
    # Seeding a chunk's masks seeds every accelerator there is.
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    with torch.random.fork_rng(devices=devices):
        try:
            record.begin(learner.state, resume=resume)
            if not resume:
                record.put_json("environment.json", environment(pupil.device, precision, seed))
            with keeping_memory():
                return _Loop(learner, record, dev).run(fresh=not resume)
        finally:
            record.close()


class _Loop:
    def __init__(self, learner: Learner, record: Record, dev: Watch | None) -> None:
        self.learner, self.record, self.dev = learner, record, dev
        self.recipe, self.state = learner.recipe, learner.state
        base = learner.encoder
        self.final = base.with_pooling(self.recipe.evaluation_pooling or learner.own_pooling)
        watched_final = self.recipe.select.pooling == "evaluation"
        self.watched = self.final if watched_final else base.with_pooling(learner.backbone.pooling)
        self.began = time.perf_counter()
        self.meter = Meter(learner.device)

    def run(self, *, fresh: bool) -> Run:
        state, shown = self.state, self.record.how.progress
        if fresh:
            state.batches = self.learner.epoch_batches(0)
            state.total = self.recipe.updates(len(state.batches))
        with (
            TrainingProgress(state.total, done=state.update, shown=shown) as progress,
            Interrupt() as interrupt,
        ):
            if fresh:
                if self.dev is not None:
                    self._look(self.dev, progress)  # the untouched encoder, to compare with
                self._save()
            while state.update < state.total and not self._tired():
                self._advance(progress)
                if interrupt.asked:
                    self._stop_here()
        return self._finish()

    def _advance(self, progress: TrainingProgress) -> None:
        """One update, and what is due after it."""
        state, how = self.state, self.record.how
        rows = state.batches[state.position]
        factor = self.recipe.schedule.factor(state.update, state.total)
        loss, norm = self.learner.learn(rows, factor)
        value = float(loss.value)
        if not (math.isfinite(value) and math.isfinite(float(norm))):
            what = f"the loss is {value} and the gradient's norm {float(norm)}"
            raise self._failed(f"Update {state.update + 1}: {what}.")
        self.meter.learned(len(rows) * len(self.learner.corpus.columns))
        last = state.update == state.total
        if state.update % how.log_every == 0 or last:
            self._log(loss, float(norm), factor)
        progress.advanced(state.update, value)
        ended = state.position == len(state.batches)
        if ended:
            state.epoch, state.position = state.epoch + 1, 0
            if not last:
                state.batches = self.learner.epoch_batches(state.epoch)
        due = ended if self.recipe.select.every is None else state.update % self.recipe.select.every == 0
        looked = self.dev is not None and (due or last)
        if looked and self.dev is not None:
            self._look(self.dev, progress)
        if looked or state.update % how.save_every == 0 or last:
            self._save()

    def _log(self, loss: Loss, norm: float, factor: float) -> None:
        state = self.state
        self.record.write(
            {
                "update": state.update,
                "epoch": self._epoch(),
                "loss": float(loss.value),
                "parts": {name: float(part) for name, part in loss.parts.items()},
                "learning_rate": self.recipe.learning_rate * factor,
                "gradient_norm": norm,
                **self.meter.read(),
            }
        )

    def _epoch(self) -> float:
        return round(self.state.epoch + self.state.position / len(self.state.batches), 4)

    def _look(self, dev: Watch, progress: TrainingProgress) -> None:
        """Ask the watch; keep the weights where they are the best so far."""
        state = self.state
        with self.meter.paused():
            scores = {name: float(value) for name, value in dev(self.watched).items()}
        self.learner.wake()  # the watch may be anything, and leave the encoder in another mode
        metric = self._metric(scores)
        look = Watched(update=state.update, epoch=self._epoch(), scores=scores)
        state.looks.append(look)
        self.record.write({"update": look.update, "epoch": look.epoch, "watch": scores})
        # The untouched encoder is scored to be compared with, never chosen: that would hide a failed run.
        if state.update > 0:
            best, score = state.best, scores[metric]
            if not math.isnan(score) and (best is None or score > best.scores[metric]):
                state.best, state.stale = look, 0
                if self.recipe.select.keep == "best":
                    self._check_weights()
                    self.record.keep_best(state)
            else:
                state.stale += 1
        progress.watched(metric, scores[metric], (state.best or look).scores[metric])

    def _metric(self, scores: Mapping[str, float]) -> str:
        if not scores:
            raise RequestError("dev: the watch gave no score at all.")
        metric = self.recipe.select.metric or next(iter(scores))
        if metric not in scores:
            raise RequestError(f"select.metric: {metric!r} is none of {', '.join(scores)}.")
        return metric

    def _tired(self) -> bool:
        patience = self.recipe.select.patience
        return patience is not None and self.state.stale >= patience

    def _stop_here(self) -> None:
        self._save()
        where = f"Interrupted after update {self.state.update}."
        if self.record.folder is None:
            raise WorkError(f"{where} Nothing was kept: the run had no folder.")
        raise WorkError(f"{where} Resume it from {self.record.folder}.")

    def _save(self) -> None:
        self._check_weights()
        self.record.save(self.state)

    def _check_weights(self) -> None:
        """That they are numbers: a last update may have broken them, with no loss after it to tell."""
        weights = [*self.learner.backbone.parameters(), *self.state.weights.values()]
        if not all(bool(torch.isfinite(weight).all()) for weight in weights):
            raise self._failed(f"Update {self.state.update}: the weights are no numbers any more.")

    def _failed(self, what: str) -> WorkError:
        folder = self.record.folder
        kept = "" if folder is None else f" The last good checkpoint is kept in {folder}."
        return WorkError(f"{what} {_REMEDY}{kept}")

    def _finish(self) -> Run:
        state, recipe = self.state, self.recipe
        best = state.best if recipe.select.keep == "best" else None
        if best is None and self.dev is not None and recipe.select.keep == "best":
            raise self._failed("No look of the watch gave a number, so there is no best one.")
        if best is not None:
            state.relearn(self.record.best())
        self.learner.rest()
        self.final.backbone.eval()
        run = Run(
            encoder=self.final,
            updates=state.update,
            looks=tuple(state.looks),
            best=best,
            weights={name: value.detach().clone() for name, value in state.weights.items()},
            seconds=time.perf_counter() - self.began,
            truncated=self.learner.corpus.truncated,
            folder=self.record.folder,
        )
        store(run, self.learner, self.record)
        return run
