"""`twinset compare`: is it really better."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from twinset.cli.output import show, show_json
from twinset.cli.own_tasks import Own, own_suite
from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.evaluation import Suite, SuiteScores
    from twinset.evidence import Answer, Scored

_A = typer.Argument(metavar="A", help="A model, a run's folder, a folder of runs, scores.json; or a,b,c.")
_B = typer.Argument(metavar="B", help="The same: what A is compared with.")


def compare(  # noqa: PLR0913 - one argument for each option of the command
    first: Annotated[str, _A],
    second: Annotated[str, _B],
    *,
    suite: Annotated[str | None, typer.Option(help="Named tasks: sts, ranking, ... Needs --data.")] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder with the suite's files: sts_en/, ...")
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Data of your own; may be repeated.")
    ] = None,
    task: Annotated[
        str, typer.Option(help="What --file holds: sts (scored pairs), pairs, ranking; retrieval: a folder.")
    ] = "sts",
    split: Annotated[
        str | None, typer.Option(help="Of --file: only rows whose column `split` says this.")
    ] = None,
    dev: Annotated[
        str | None, typer.Option(metavar="FILE", help="Of --task pairs: what the threshold is chosen on.")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A and B are TREC runs: their judgements.")
    ] = None,
    metric: Annotated[str | None, typer.Option(help="One that every task has; else each its own.")] = None,
    margin: Annotated[
        float | None, typer.Option(metavar="POINTS", help="So many points less still count as no worse.")
    ] = None,
    resamples: Annotated[int, typer.Option(help="Draws of the items.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the draws.")] = 0,
    level: Annotated[float, typer.Option(help="How sure the intervals are.")] = 0.95,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Say whether A is better than B, and how sure that is.

    Both are scored on the same items; several runs a side speak of recipes, one a side of two encoders.
    """
    from twinset.evidence import Settings
    from twinset.evidence import compare as compared

    settings = Settings(draws=resamples, seed=seed, level=level)
    if margin is not None and not margin > 0:
        raise RequestError(f"--margin: {margin} is not above 0 points")
    own = Own(task=task, split=split, dev=dev)
    sides: list[str | Scored] = [first, second]
    wanted: Suite | None = None
    if qrels is not None:
        if suite is not None or file:
            raise RequestError("--qrels: judges TREC runs by itself; leave --suite and --file out")
        if own != Own() or data is not None:
            raise RequestError("--qrels: leave --task, --split, --dev and --data out")
        sides = [_of_run(name, qrels) for name in sides if isinstance(name, str)]
    else:
        wanted = _suite(suite, data, file, own)
        sides = [_of_table(name, wanted) for name in sides if isinstance(name, str)]
    answer = compared(
        sides[0],
        sides[1],
        on=wanted,
        metric=metric,
        margin=None if margin is None else margin / 100,
        settings=settings,
    )
    if json:
        show_json(answer.to_json())
        return
    show(_told(answer))


def _suite(suite: str | None, data: Path | None, file: list[str] | None, own: Own) -> Suite | None:
    if suite is not None and file:
        raise RequestError("name one of them: --suite NAME --data DIR, or --file FILE")
    if suite is None:
        own.check(with_suite=False)
        if not file and (own != Own() or data is not None):
            raise RequestError("--task, --split, --dev, --data: say of what: --file FILE, or --suite NAME")
        return own_suite(file, own) if file else None
    own.check(with_suite=True)
    if data is None:
        raise RequestError(f"--suite {suite}: say where the data is: --data DIR")
    from twinset.evaluation import read_suite

    return read_suite(suite, data)


def _of_run(name: str, qrels: Path) -> Scored:
    from twinset.evaluation import read_qrels, read_run, score_run
    from twinset.evidence import Scored

    judged = read_qrels(qrels)
    files = [part.strip() for part in name.split(",")]
    runs = [score_run(read_run(file), judged, name=Path(file).stem) for file in files]
    return Scored(name=Path(files[0]).stem, runs=tuple(runs), seeded=len(runs) > 1)


def _of_table(name: str, suite: Suite | None) -> str | Scored:
    """A table of another tool's scores, read; anything else as it is."""
    files = [part.strip() for part in name.split(",")]
    if not all(Path(file).suffix in {".csv", ".tsv"} and Path(file).is_file() for file in files):
        return name
    from twinset.evaluation import PairTask, StsTask, read_predictions
    from twinset.evidence import Scored

    tasks = () if suite is None else suite.tasks
    if len(tasks) > 1 or not all(isinstance(one, (StsTask, PairTask)) for one in tasks):
        raise RequestError(f"{name}: a table of scores goes with one task of scored or labelled pairs")
    only = next((one for one in tasks if isinstance(one, (StsTask, PairTask))), None)
    read = [read_predictions(file, only) for file in files]
    runs = tuple(read) if only is not None else tuple(map(_alone, read))
    return Scored(name=Path(files[0]).stem, runs=runs, seeded=len(runs) > 1)


def _alone(scores: SuiteScores) -> SuiteScores:
    """One task under one name, whatever the file was called."""
    ((pooling, tasks),) = scores.scores.items()
    (only,) = tasks.values()
    renamed: Any = replace(cast("Any", only), task="scores")
    return replace(scores, scores={pooling: {"scores": renamed}})


def _told(answer: Answer) -> str:
    lines = [str(answer.verdict)]
    if len(answer.comparison.tasks) > 1:
        lines += ["", answer.table()]
    return "\n".join(lines)
