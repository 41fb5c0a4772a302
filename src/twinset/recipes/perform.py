"""What a run file asks for, done and recorded: the run's folder holds everything that was decided."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from twinset.data import Dataset
from twinset.encoder import Encoder
from twinset.errors import RecipeError, RequestError, WorkError
from twinset.evaluation import METRICS, SuiteScores
from twinset.recipes.runfile import RunFile
from twinset.recipes.sources import check_fit, training_data, watch
from twinset.recipes.write import to_toml
from twinset.training import Run, train
from twinset.training.checkpoint import CHECKPOINT
from twinset.training.disk import Disk
from twinset.training.journal import JOURNAL
from twinset.training.record import AUTO, OFF, SCORES

RUN_FILE = "run.toml"
MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Performed:
    """A finished run. dev: the finished encoder's scores on the dev pairs, item by item."""

    run: Run
    data: Dataset
    dev: SuiteScores | None


def perform(wanted: RunFile, *, out: str | Path, resume: bool = False) -> Performed:
    """Train as a run file says. `out` then holds run.toml, environment.json, log.jsonl, scores.json (with the
    predictions for each dev pair) and model/."""
    folder = Path(out)
    _check_folder(folder, resume=resume)
    learned = training_data(wanted.data)
    check_fit(learned, wanted.recipe)
    watched = watch(wanted.data)
    metric = wanted.recipe.select.metric
    if watched is not None and metric is not None and metric not in METRICS:
        raise RecipeError(f"recipe.select.metric: {metric!r} is none of {', '.join(METRICS)}")
    encoder = Encoder.from_pretrained(wanted.encoder)
    with _run_file(folder, wanted, resume=resume):
        run = train(
            encoder,
            learned,
            wanted.recipe,
            dev=watched,
            seed=wanted.seed,
            out=folder,
            resume=resume,
            recording=wanted.recording,
        )
    dev = None if watched is None else watched.evaluate(run.encoder)
    if dev is not None:
        add_dev(folder / SCORES, dev)
    return Performed(run=run, data=learned, dev=dev)


def resolved(wanted: RunFile) -> RunFile:
    """The same with whole paths, so that the run can be resumed from anywhere."""
    data = replace(
        wanted.data,
        train=str(Path(wanted.data.train).resolve()),
        dev=None if wanted.data.dev is None else str(Path(wanted.data.dev).resolve()),
    )
    encoder = Path(wanted.encoder).expanduser()
    named = str(encoder.resolve()) if encoder.is_dir() and wanted.encoder != "mini" else wanted.encoder
    cache = wanted.recording.token_cache
    kept = cache if cache in (AUTO, OFF) else str(Path(cache).expanduser().resolve())
    recording = replace(wanted.recording, token_cache=kept)
    return replace(wanted, data=data, encoder=named, recording=recording)


def _check_folder(folder: Path, *, resume: bool) -> None:
    """Before the work: `train` would say the same after reading all the data."""
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: is a file; name a folder for the run")
    if resume and not (folder / CHECKPOINT).is_file():
        if (folder / MODEL).is_dir():
            raise RequestError(f"{folder}: the run is finished; there is nothing to resume")
        raise RequestError(f"{folder}: no run was begun here that could be resumed; leave --resume out")
    if not resume and any((folder / name).exists() for name in (CHECKPOINT, JOURNAL, MODEL)):
        raise RequestError(
            f"{folder}: a run is already recorded here; resume it with --resume, or name another folder"
        )


@contextmanager
def _run_file(folder: Path, wanted: RunFile, *, resume: bool) -> Generator[None]:
    """run.toml before anything else; away again where the run was refused before it began."""
    if resume:
        yield
        return
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"{folder}: cannot be made a folder for the run: {error.strerror}") from error
    Disk().put(folder / RUN_FILE, to_toml(resolved(wanted)).encode())
    try:
        yield
    except RequestError:
        if not (folder / JOURNAL).exists():
            (folder / RUN_FILE).unlink(missing_ok=True)
            if new:
                folder.rmdir()
        raise


def add_dev(path: Path, dev: SuiteScores) -> None:
    """The predictions for each dev pair, into the run's scores.json."""
    try:
        scores = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WorkError(f"{path}: the run's scores cannot be read back: {error}") from error
    Disk().put(path, (json.dumps({**scores, "dev": dev.to_json()}, sort_keys=True) + "\n").encode())
