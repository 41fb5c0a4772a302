"""What a study would do, and how long that takes, before it does it."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from twinset.studies.design import Cell, Study
from twinset.studies.facts import gathered
from twinset.studies.machine import share
from twinset.studies.place import settled
from twinset.studies.probe import UPDATES
from twinset.studies.run_study import STUDIES
from twinset.studies.watching import duration, seconds_of
from twinset.studies.work import Work
from twinset.studies.worker import Worker, answered


@dataclass(frozen=True, kw_only=True)
class Plan:
    """screening, counted: cells, and how many of them are done. seconds: until the last one ends; measured:
    what that was worked out from."""

    folder: str
    variants: tuple[str, ...]
    baseline: str
    seeds: tuple[int, ...]
    screening: tuple[int, int]
    counted: tuple[int, int]
    processes: int
    threads: int
    seconds: float
    measured: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def told(self) -> str:
        lines = [f"{self.folder}: {len(self.variants)} variants, seeds {', '.join(map(str, self.seeds))}"]
        lines += [f"  {name}{' (baseline)' if name == self.baseline else ''}" for name in self.variants]
        if self.screening[0]:
            lines.append(f"screening: {self.screening[0]} cells, {self.screening[1]} of them done")
        lines.append(f"{self.counted[0]} cells count, {self.counted[1]} of them done")
        lines.append(f"{self.processes} cell(s) at a time, {self.threads} thread(s) each")
        if self.seconds:
            lines.append(f"about {duration(self.seconds)} to go, {self.measured}")
        else:
            lines.append("nothing is left to train")
        return "\n".join(lines)


def plan(study: Study, *, out: str | Path | None = None, redo: bool = False) -> Plan:
    """The grid, what is done of it, and an estimate: from finished cells, else from a probe of the first."""
    folder = Path(out) if out is not None else STUDIES / study.name
    chosen = settled(study, folder, share(study))
    work = Work(study=study, folder=folder, share=chosen, redo=redo)
    every = study.counted(study.variants)
    work.check([*study.screening, *every])
    gathered(study)
    done = {cell for cell in (*study.screening, *every) if work.is_done(cell)}
    left = [cell for cell in study.screening if cell not in done]
    counted = _counted(study, every)
    finished = min(counted, sum(cell in done for cell in every))
    rounds = math.ceil(len(left) / chosen.processes) + math.ceil((counted - finished) / chosen.processes)
    each, measured = (0.0, "") if not rounds else _seconds(work, every, done)
    return Plan(
        folder=str(folder),
        variants=tuple(variant.name for variant in study.variants),
        baseline=study.baseline,
        seeds=study.settings.numbers,
        screening=(len(study.screening), len(study.screening) - len(left)),
        counted=(counted, finished),
        processes=chosen.processes,
        threads=chosen.threads,
        seconds=rounds * each,
        measured=measured,
    )


def _counted(study: Study, every: Sequence[Cell]) -> int:
    """With a screening the most that there can be: the finalists, and the baseline beside them."""
    if not study.screening or study.settings.screen is None:
        return len(every)
    variants = min(len(study.variants), study.settings.screen.keep + 1)
    return variants * len(study.settings.numbers)


def _seconds(work: Work, every: Sequence[Cell], done: set[Cell]) -> tuple[float, str]:
    """Of one cell, and how that is known."""
    cells = [*work.study.screening, *every]
    took = [seconds for cell in cells if cell in done and (seconds := seconds_of(work.place(cell)))]
    if took:
        return sum(took) / len(took), f"as the {len(took)} finished cell(s) took"
    first = next(cell for cell in cells if cell not in done)
    return _probed(work, first), f"from a probe of {first}: {UPDATES} updates and one evaluation"


def _probed(work: Work, cell: Cell) -> float:
    """The same probe in as many processes as will train side by side: each slows the others down."""
    with tempfile.TemporaryDirectory(prefix="twinset-probe-") as folder:
        order = replace(work.order(cell), probe=UPDATES)
        orders = [replace(order, folder=f"{folder}/{number}") for number in range(work.share.processes)]
        workers = [Worker(each, work.share.threads) for each in orders]
        try:
            found = [float(answered(worker)["seconds"]) for worker in workers]
        finally:
            for worker in workers:
                worker.stop()
                worker.gone()
    return sum(found) / len(found)
