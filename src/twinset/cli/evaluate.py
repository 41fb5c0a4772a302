"""`twinset evaluate`: scores by the protocols of the literature."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twinset.cli.model import BackendName, ModelName, load_model
from twinset.cli.output import check_target, show, show_json, watched_by_a_person
from twinset.cli.own_tasks import Own, own_suite
from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.encoder import Pooling
    from twinset.evaluation import Suite


def evaluate(  # noqa: PLR0913 - one argument for each option of the command
    model: ModelName,
    *,
    suite: Annotated[
        str | None,
        typer.Option(
            help="Named tasks: sts, stsb-dev, pairs, pairs-zh, ranking, retrieval, transfer. Needs --data."
        ),
    ] = None,
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
    dev_split: Annotated[
        str | None, typer.Option(help="Of --dev: only rows whose column `split` says this.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="The headline of ranking and retrieval: map, ndcg@10, mrr, ...")
    ] = None,
    pooling: Annotated[
        list[str] | None, typer.Option(help="cls, mean, ...; may be repeated; all: every one.")
    ] = None,
    max_length: Annotated[int | None, typer.Option(min=1, help="Tokens a text is cut to.")] = None,
    backend: BackendName = "torch",
    baselines: Annotated[
        bool,
        typer.Option("--baselines", help="Beside what it must beat: words, raw poolings, whitening."),
    ] = False,
    subsets: Annotated[bool, typer.Option("--subsets", help="Show each task's subsets, too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write scores.json with every prediction.")
    ] = None,
) -> None:
    """Score an encoder on a suite of the literature, or on data of your own.

    Scored pairs (semantic textual similarity), labelled pairs, ranked candidates, retrieval, classes.
    """
    if out is not None:
        check_target(out)
    if (suite is None) == (not file):
        raise RequestError("name what to evaluate on: --suite sts --data DIR, or --file pairs.csv")
    own = Own(task=task, split=split, dev=dev, dev_split=dev_split, metric=metric)
    own.check(with_suite=suite is not None)
    from twinset.evaluation import StsTask, write_scores
    from twinset.evaluation import evaluate as score

    wanted = _suite(suite, data) if suite is not None else own_suite(file or [], own)
    if subsets and not any(isinstance(each, StsTask) for each in wanted.tasks):
        raise RequestError("--subsets: none of these tasks has subsets; only scored pairs do")
    poolings = None if not pooling else _poolings(pooling)
    encoder = load_model(model, max_length=max_length, backend=backend)
    progress = _progress if watched_by_a_person() else None
    scores = score(encoder, wanted, poolings=poolings, progress=progress)
    if out is not None:
        write_scores(scores, out)
    found = None
    if baselines:
        from twinset.cli.beside import beside

        found = beside(scores, model, wanted, backend=backend, max_length=max_length, progress=progress)
    if json:
        more = {} if found is None else {"baselines": found.to_json()}
        show_json({**scores.to_json(items=False), **more})
        return
    show(scores.table())
    if subsets:
        show("\n" + scores.subset_table())
    if found is not None:
        show("\n" + found.table())


def _suite(name: str, data: Path | None) -> Suite:
    from twinset.evaluation import SUITES, read_suite

    if name in SUITES and data is None:
        raise RequestError(
            f"--suite {name}: say where the data is: --data DIR (a folder with sts_en/, pairs_en/ ... in it)"
        )
    return read_suite(name, data or Path())


def _poolings(names: list[str]) -> list[Pooling]:
    from twinset.encoder import POOLINGS

    for name in names:
        if name not in (*POOLINGS, "all"):
            raise RequestError(f"--pooling: {name!r} is none of {', '.join(POOLINGS)}, all")
    chosen: list[Pooling] = [pooling for pooling in POOLINGS if pooling in names]
    rest: list[Pooling] = [pooling for pooling in POOLINGS if pooling not in chosen]
    return [*chosen, *rest] if "all" in names else chosen


def _progress(done: int, total: int) -> None:
    sys.stderr.write(f"\rencoded {done:,} of {total:,} texts{'' if done < total else chr(10)}")
    sys.stderr.flush()
