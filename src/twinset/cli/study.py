"""`twinset study`: variants by seeds, trained, scored and compared."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twinset.cli.output import say, show, show_json
from twinset.errors import RequestError, WorkError

if TYPE_CHECKING:
    from twinset.studies import StudyResult


def study(
    study: Annotated[
        Path, typer.Argument(metavar="STUDY.toml", help="A study file; a study's folder shows its report.")
    ],
    *,
    seeds: Annotated[int | None, typer.Option(min=1, help="How many, whatever the file says.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Of every variant's run file: recipe.epochs=3"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The study's folder [default: studies/NAME]")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="What it would do, and how long.")] = False,
    redo: Annotated[bool, typer.Option("--redo", help="Train cells whose settings changed anew.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Train variants with several seeds and compare them.

    Called again, a study goes on where it was stopped. Its folder holds the runs, and the report as Markdown,
    LaTeX, CSV and JSON.
    """
    if study.is_dir():
        if seeds is not None or set_ or out is not None or dry_run or redo:
            raise RequestError(f"{study}: is a study's folder, which is shown as it is; name the study file")
        _tell(_shown(study, quiet=quiet), json=json)
        return
    from twinset.studies import plan, read_study

    wanted = read_study(study, set_ or [], seeds=seeds)
    if dry_run:
        planned = plan(wanted, out=out, redo=redo)
        show_json(planned.to_json()) if json else show(planned.told())
        return
    from twinset.studies import run_study
    from twinset.studies.watching import StudyProgress

    with nullcontext() if quiet else StudyProgress() as progress:
        result = run_study(
            wanted, out=out, redo=redo, watching=progress, told=_comparing if not quiet else _nothing
        )
    _tell(result, json=json)
    if result.failed:
        each = "; ".join(f"{one.variant}, seed {one.seed}: {one.why}" for one in result.failed)
        raise WorkError(f"{len(result.failed)} cell(s) failed, call again to retry them: {each}")


def _shown(folder: Path, *, quiet: bool) -> StudyResult:
    from twinset.studies import show_study

    return show_study(folder, told=_nothing if quiet else _comparing)


def _tell(result: StudyResult, *, json: bool) -> None:
    from twinset.studies.collect import as_json

    if json:
        show_json(as_json(result))
        return
    show(result.table())
    show(f"\n{result.folder}: report.md, report.tex, variants.csv, runs.csv, results.json")


def _comparing(variant: str) -> None:
    say(f"comparing {variant} ...")


def _nothing(_: str) -> None:
    return
