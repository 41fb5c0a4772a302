"""From files that a user names to tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.evaluation import Suite, Task

TASKS = ("sts", "pairs", "ranking", "retrieval")

_NAMES = {
    "sts": "your pairs",
    "pairs": "your pairs",
    "ranking": "your rankings",
    "retrieval": "your searches",
}


@dataclass(frozen=True, kw_only=True)
class Own:
    """What is said of the files: their kind, and the options that go with it."""

    task: str = "sts"
    split: str | None = None
    dev: str | None = None
    dev_split: str | None = None
    metric: str | None = None

    def check(self, *, with_suite: bool) -> None:
        """Refuse options that would be passed over in silence."""
        if self.task not in TASKS:
            raise RequestError(f"--task: {self.task!r} is none of {', '.join(TASKS)}")
        given = {
            "--task": self.task != "sts",
            "--split": self.split,
            "--dev": self.dev,
            "--metric": self.metric,
        }
        idle = [option for option, value in given.items() if value]
        if with_suite and idle:
            raise RequestError(f"{idle[0]}: goes with --file; a suite says for itself what its data is")
        if self.dev is not None and self.task != "pairs":
            raise RequestError("--dev: only --task pairs chooses a threshold")
        if self.dev_split is not None and self.dev is None:
            raise RequestError("--dev-split: name the file as well: --dev FILE")
        if self.metric is not None and self.task not in ("ranking", "retrieval"):
            raise RequestError("--metric: only --task ranking and --task retrieval have one to choose")


def own_suite(files: list[str], own: Own) -> Suite:
    """A task for each file."""
    from twinset.evaluation import Suite

    return Suite(name=_NAMES[own.task], tasks=tuple(_task(file, own) for file in files))


def _task(file: str, own: Own) -> Task:
    from twinset import data
    from twinset.evaluation import PairTask, RankingTask, RetrievalTask, StsTask

    name, where = Path(file).stem, _where(own.split)
    if own.task == "pairs":
        dev = None if own.dev is None else data.read_labelled_pairs(own.dev, where=_where(own.dev_split))
        return PairTask(name=name, pairs=data.read_labelled_pairs(file, where=where), dev=dev)
    if own.task == "ranking":
        return RankingTask(
            name=name, lists=data.read_ranked_lists(file, where=where), metric=own.metric or "map"
        )
    if own.task == "retrieval":
        known = file.startswith(data.IR_DATASETS)
        found = data.read_ir_dataset(file) if known else data.read_beir(file, own.split or "test")
        return RetrievalTask(
            name=file if known else Path(file).name, collection=found, metric=own.metric or "ndcg@10"
        )
    return StsTask(name=name, pairs=data.read_scored_pairs(file, where=where))


def _where(split: str | None) -> dict[str, str] | None:
    return None if split is None else {"split": split}
