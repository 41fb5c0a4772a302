"""The loop: batches, updates, looks at the dev score, checkpoints. `train` is its one entrance."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from twinset.encoder.card import Card

from twinset.data import Dataset
from twinset.errors import RequestError, WorkError
from twinset.training.environment import environment
from twinset.training.interrupt import Interrupt
from twinset.training.learner import Corpus, Learner, tokenised
from twinset.training.meter import Meter
from twinset.encoder.precision import resolve
from twinset.training.progress import TrainingProgress
from twinset.training.recipe import Recipe, described
from twinset.training.record import Record, Recording, fingerprint_of
from twinset.training.state import Watched
from twinset.types import Loss

if TYPE_CHECKING:
    from twinset.encoder import Encoder  # noqa: TC004 - a name in annotations alone; spares the import

Watch = Callable[["Encoder"], Mapping[str, float]]
"""What is watched: any callable from encoder to named scores, higher is better."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A finished run. looks: what the watch said, first of the untouched encoder. best: the kept look
    (None without a watch, or where the last weights were kept)."""

    encoder: Encoder
    updates: int
    looks: tuple[Watched, ...]
    best: Watched | None
    seconds: float
    truncated: int
    folder: Path | None


def train(
    encoder: Encoder,
    data: Dataset,
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
    folder's checkpoint exactly as if it had not stopped.
    """
    recipe, recording = recipe or Recipe(), recording or Recording()
    if len(data) < 2:
        raise RequestError(f"data: {len(data)} row(s); contrast needs at least 2.")
    recipe.check(columns=len(data.columns), labels=data.labels is not None, scores=data.scores is not None)
    pupil = encoder.copy()
    corpus = tokenised(pupil, data, recipe.max_length)
    precision = resolve(recipe.precision, pupil.device)
    learner = Learner(pupil, corpus, recipe, seed, precision)
    folder = None if out is None else Path(out)
    record = Record(folder, recording, _fingerprint(learner, corpus, recipe, seed))
    devices = [pupil.device] if pupil.device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        record.begin(learner.state, resume=resume)
        if not resume:
            record.put_json("environment.json", environment(pupil.device, precision, seed))
        try:
            return _Loop(learner, record, dev).run()
        finally:
            record.close()


def _fingerprint(learner: Learner, corpus: Corpus, recipe: Recipe, seed: int) -> dict[str, str]:
    weights = [value.detach().cpu().numpy().tobytes() for value in learner.backbone.state_dict().values()]
    texts = [piece.tobytes() for column in corpus.columns for piece in (column.ids, column.starts)]
    parts = {"recipe": [repr(recipe).encode()], "seed": [str(seed).encode()], "data": texts}
    return fingerprint_of({**parts, "encoder": weights})


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

    def run(self) -> Run:
        state = self.state
        if not state.batches:
            state.batches = self.learner.epoch_batches(0)
        total = self.recipe.updates(len(state.batches))
        shown = self.record.how.progress
        with TrainingProgress(total, done=state.update, shown=shown) as progress, Interrupt() as interrupt:
            if state.update == 0:
                if self.dev is not None:
                    self._look(self.dev, progress)  # the untouched encoder, to compare with
                self.record.save(state)
            while state.update < total and not self._tired():
                self._advance(total, progress)
                if interrupt.asked:
                    self._stop_here()
        return self._finish()

    def _advance(self, total: int, progress: TrainingProgress) -> None:
        """One update, and what is due after it."""
        state, how = self.state, self.record.how
        rows = state.batches[state.position]
        factor = self.recipe.schedule.factor(state.update, total)
        loss, norm = self.learner.learn(rows, factor)
        value = float(loss.value)
        if not (math.isfinite(value) and math.isfinite(float(norm))):
            self._fail(value, float(norm))
        self.meter.learned(len(rows) * len(self.learner.corpus.columns))
        if state.update % how.log_every == 0 or state.update == total:
            self._log(loss, float(norm), factor)
        progress.advanced(state.update, value)
        ended = state.position == len(state.batches)
        if ended:
            state.epoch, state.position = state.epoch + 1, 0
            state.batches = self.learner.epoch_batches(state.epoch)
        due = ended if self.recipe.select.every is None else state.update % self.recipe.select.every == 0
        looked = self.dev is not None and (due or state.update == total)
        if looked and self.dev is not None:
            self._look(self.dev, progress)
        if looked or state.update % how.save_every == 0 or state.update == total:
            self.record.save(state)

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
        metric = self._metric(scores)
        look = Watched(update=state.update, epoch=self._epoch(), scores=scores)
        state.looks.append(look)
        self.record.write({"update": look.update, "epoch": look.epoch, "watch": scores})
        # The untouched encoder is scored to be compared with, never chosen: that would hide a failed run.
        if state.update > 0:
            best = state.best
            if best is None or scores[metric] > best.scores[metric]:
                state.best, state.stale = look, 0
                if self.recipe.select.keep == "best":
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
        self.record.save(self.state)
        where = f"Interrupted after update {self.state.update}."
        if self.record.folder is None:
            raise WorkError(f"{where} Nothing was kept: the run had no folder.")
        raise WorkError(f"{where} Resume it from {self.record.folder}.")

    def _fail(self, value: float, norm: float) -> None:
        kept = ""
        if self.record.folder is not None:
            kept = f" The last good checkpoint is kept in {self.record.folder}."
        raise WorkError(
            f"Update {self.state.update + 1}: the loss is {value} and the gradient's norm {norm}. "
            f"A lower learning_rate, a higher temperature or precision = 'fp32' may help.{kept}"
        )

    def _finish(self) -> Run:
        state, recipe = self.state, self.recipe
        best = state.best if recipe.select.keep == "best" else None
        weights = self.record.best() if best is not None else None
        if weights is not None:
            self.learner.backbone.load_state_dict(dict(weights))
        self.learner.backbone.eval()
        run = Run(
            encoder=self.final,
            updates=state.update,
            looks=tuple(state.looks),
            best=best,
            seconds=time.perf_counter() - self.began,
            truncated=self.learner.corpus.truncated,
            folder=self.record.folder,
        )
        self._store(run)
        return run

    def _store(self, run: Run) -> None:
        folder = self.record.folder
        if folder is None:
            return
        model = folder / "model"
        if model.exists():  # a run killed after saving the model, before its checkpoint went
            shutil.rmtree(model)
        run.encoder.save_pretrained(model, card=self._card(run))
        looks = [vars(look) for look in run.looks]
        best = None if run.best is None else vars(run.best)
        self.record.put_json("scores.json", {"watch": looks, "best": best, "updates": run.updates})
        self.record.finish()

    def _card(self, run: Run) -> Card:
        scores = {} if run.best is None else dict(run.best.scores)
        return Card(
            base=self.learner.encoder.name,
            data=f"{len(self.learner.corpus):,} rows of {len(self.learner.corpus.columns)} text column(s)",
            recipe=described(self.recipe),
            scores=scores,
        )
