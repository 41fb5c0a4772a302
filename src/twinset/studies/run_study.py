"""A study from its file to its result: checked, trained cell by cell, compared, told."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import cast

from pydantic import TypeAdapter, ValidationError

from twinset.errors import DataError, RequestError
from twinset.studies.collect import collected, failed_before
from twinset.studies.compare import Told
from twinset.studies.design import Cell, Study
from twinset.studies.dev import dev_score
from twinset.studies.facts import FACTS, gathered, write_facts
from twinset.studies.lock import alone
from twinset.studies.machine import share
from twinset.studies.place import SCREENED, put_json, read_json, remembered, settled, write_study
from twinset.studies.report import write_report
from twinset.studies.result import Failed, StudyResult
from twinset.studies.screening import Screened, finalists, screened
from twinset.studies.work import Watching, Work

STUDIES = Path("studies")


def run_study(
    study: Study,
    *,
    out: str | Path | None = None,
    redo: bool = False,
    watching: Watching | None = None,
    told: Told = lambda _: None,
) -> StudyResult:
    """Train and score what is not done yet, and compare. Called again, it goes on where it was stopped.

    out: the study's folder [studies/NAME]. redo: cells whose settings changed are trained anew.
    """
    folder = Path(out) if out is not None else STUDIES / study.name
    watched = watching or _Nobody()
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: is a file; name a folder for the study")
    chosen = settled(study, folder, share(study))
    work = Work(study=study, folder=folder, share=chosen, redo=redo)
    work.check([*study.screening, *study.counted(study.variants)])
    facts = gathered(study)
    with alone(folder, "a study is going on"), _politely_ended():
        write_study(study, folder, chosen)
        write_facts(facts, folder / FACTS)
        (folder / SCREENED).unlink(missing_ok=True)
        found, failed = _chosen(work, watched)
        failed |= work.do(study.counted(finalists(study, found)), watched)
        lost = [Failed(variant=cell.variant.name, seed=cell.seed, why=why) for cell, why in failed.items()]
        result = collected(work, found, lost, told)
        write_report(result, folder)
    return result


def show_study(folder: str | Path, *, told: Told = lambda _: None) -> StudyResult:
    """The result of what is done in a study's folder by now; nothing is trained."""
    place = Path(folder)
    study, chosen = remembered(place)
    work = Work(study=study, folder=place, share=chosen)
    path = place / SCREENED
    found: tuple[Screened, ...] | None = () if not study.screening else None
    if path.is_file():
        try:
            found = TypeAdapter(tuple[Screened, ...]).validate_python(read_json(path)["screened"])
        except (ValidationError, KeyError) as error:
            raise DataError(f"{path}: is not what a study writes; call twinset study again") from error
    lost = [each for each in failed_before(place) if not _done(work, each)]
    result = collected(work, found, lost, told)
    write_report(result, place)
    return result


def _chosen(work: Work, watching: Watching) -> tuple[tuple[Screened, ...], dict[Cell, str]]:
    """The screening, where there is one, and the cells of it that failed."""
    study = work.study
    if not study.screening:
        return (), {}
    failed = work.do(study.screening, watching)
    out = {cell.variant.name for cell in failed}
    dev: dict[str, tuple[float, ...]] = {variant.name: () for variant in study.variants}
    for cell in study.screening:
        if cell.variant.name not in out:
            score = dev_score(work.place(cell), cell.variant.run)
            dev[cell.variant.name] += (cast("float", score),)
    found = screened(study, dev)
    put_json(work.folder / SCREENED, {"screened": [asdict(each) for each in found]})
    return found, failed


def _done(work: Work, failed: Failed) -> bool:
    names = [variant.name for variant in work.study.variants]
    if failed.variant not in names:
        return True
    return work.is_done(Cell(variant=work.study.variant(failed.variant), seed=failed.seed))


@contextmanager
def _politely_ended() -> Generator[None]:
    """SIGTERM is as Ctrl-C: the cells save where they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Nobody:
    """Nobody watches."""

    def stage(self, cells: object, done: object, processes: object) -> None: ...

    def began(self, cell: object, folder: object) -> None: ...

    def ended(self, cell: object, folder: object, failed: object) -> None: ...

    def still(self) -> None: ...
