"""`twinset demo`: a first story, offline, in a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twinset.cli.output import say, show, show_json


def demo(
    *,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own texts, one a line, instead of ours.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A new folder to keep the run in."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Show a first story: a minute, offline.

    Trains the built-in encoder on a few texts and looks before and after.
    """
    import tempfile

    from twinset.demo.story import library_story, own_story
    from twinset.demo.tell import facts, facts_own, told, told_own

    folder = out or Path(tempfile.mkdtemp(prefix="twinset-demo-"))
    if text is None:
        story = library_story(folder, progress=not json)
        show_json(facts(story)) if json else show(told(story))
    else:
        own = own_story(text, folder, progress=not json)
        show_json(facts_own(own)) if json else show(told_own(own))
    if out is None:
        say(f"\nThe run is in {folder} (a temporary folder; --out DIR keeps it elsewhere).")
