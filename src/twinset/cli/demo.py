"""`twinset demo`: the whole story, offline, in minutes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twinset.cli.output import say, show, show_json, watched_by_a_person
from twinset.errors import TwinsetError


def demo(
    *,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own texts, one a line, instead of the manuals.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A new folder to keep the run in."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Show the whole story, offline: less than five minutes on two cores.

    Teaches the built-in encoder the manuals of the installed Python packages, and asks it before and after
    about packages that it never saw.
    """
    import tempfile

    folder = out or Path(tempfile.mkdtemp(prefix="twinset-demo-"))
    try:
        _manuals(folder, json=json) if text is None else _own(text, folder, json=json)
    except TwinsetError:
        if out is None and not any(folder.iterdir()):
            folder.rmdir()  # refused before it began
        raise
    if out is None:
        say(f"\nThe run is in {folder} (a temporary folder; --out DIR keeps it elsewhere).")


def _manuals(folder: Path, *, json: bool) -> None:
    from twinset.demo.facts import facts
    from twinset.demo.manuals import learn_manuals
    from twinset.demo.packages import INSTALLED
    from twinset.demo.recipe import manuals_recipe
    from twinset.demo.stages import Stages
    from twinset.demo.tell import told

    stages = Stages(say, bars=watched_by_a_person())
    story = learn_manuals(folder, stages, library=INSTALLED, recipe=manuals_recipe())
    show_json(facts(story)) if json else show("\n" + told(story))


def _own(text: Path, folder: Path, *, json: bool) -> None:
    from twinset.demo.own import learn_own
    from twinset.demo.tell_own import facts_own, told_own

    own = learn_own(text, folder, progress=not json)
    show_json(facts_own(own)) if json else show(told_own(own))
