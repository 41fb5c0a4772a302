"""`twinset train`: what a run file says, done and recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twinset.cli.output import say, show, show_json
from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.recipes.perform import Performed

_RUNS = Path("runs")
_RUN_FILE = "run.toml"


def train(
    run: Annotated[
        Path, typer.Argument(metavar="RUN.toml", help="A run file; with --resume, a run's folder.")
    ],
    *,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a field: recipe.epochs=3"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder [default: runs/NAME]")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write TensorBoard files, too.")] = False,
) -> None:
    """Train an encoder as a run file says.

    The run's folder then holds run.toml, environment.json, log.jsonl, scores.json and model/.
    """
    file, folder = _places(run, out, resume=resume)
    overrides = [*(set_ or []), *(["recording.tensorboard=true"] if tensorboard else [])]
    if quiet:
        overrides.append("recording.progress=false")
    from twinset.recipes.perform import perform
    from twinset.recipes.runfile import read_run_file

    wanted = read_run_file(file, overrides)
    performed = perform(wanted, out=folder, resume=resume)
    if not quiet:
        for note in performed.data.notes:
            say(note)
        if performed.run.truncated:
            say(f"{performed.run.truncated:,} texts were cut to the longest length that the encoder saw.")
    if json:
        show_json(_summary(performed))
    else:
        show(_told(performed))


def _places(run: Path, out: Path | None, *, resume: bool) -> tuple[Path, Path]:
    """The run file, and the run's folder."""
    if not run.is_dir():
        return run, out or _RUNS / run.name.removesuffix(".toml")
    if not resume:
        raise RequestError(f"{run}: is a folder; name a run file, or say --resume to go on with its run")
    if out is not None:
        raise RequestError(f"--out {out}: a run is resumed where it is, in {run}; leave --out out")
    if not (run / _RUN_FILE).is_file():
        raise RequestError(f"{run}: has no {_RUN_FILE}, so it is not the folder of a run")
    return run / _RUN_FILE, run


def _summary(performed: Performed) -> dict[str, object]:
    run = performed.run
    return {
        "folder": str(run.folder),
        "model": str((run.folder or Path()) / "model"),
        "rows": len(performed.data),
        "updates": run.updates,
        "seconds": round(run.seconds, 2),
        "truncated": run.truncated,
        "notes": list(performed.data.notes),
        "first": None if not run.looks else dict(run.looks[0].scores),
        "best": None if run.best is None else {"update": run.best.update, **run.best.scores},
        "dev": None if performed.dev is None else performed.dev.headline,
    }


def _told(performed: Performed) -> str:
    run = performed.run
    lines = [f"{run.updates:,} updates on {len(performed.data):,} rows in {run.seconds:.0f} s"]
    if performed.dev is not None:
        before = next(iter(run.looks[0].scores.values()))
        lines.append(
            f"dev ({performed.dev.suite}, Spearman x 100): {100 * before:.2f} before, "
            f"{100 * performed.dev.headline:.2f} after"
        )
        lines.append("One run with one seed: a difference this large may be chance.")
    lines.append(f"model: {(run.folder or Path()) / 'model'}")
    return "\n".join(lines)
