"""The commands put together. Their bodies import what they need, so that `twinset --help` is quick."""

from __future__ import annotations

from typing import Annotated

import typer

from twinset.cli.compare import compare
from twinset.cli.demo import demo
from twinset.cli.encode import encode
from twinset.cli.evaluate import evaluate
from twinset.cli.export import export
from twinset.cli.init import init
from twinset.cli.search import search
from twinset.cli.study import study
from twinset.cli.train import train

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for verb in (demo, init, train, study, evaluate, compare, encode, search, export):
    app.command()(verb)


def _version(asked: bool) -> None:  # noqa: FBT001 - typer hands an option's value to its callback like this
    if asked:
        from importlib import metadata

        typer.echo(f"twinset {metadata.version('twinset')}")
        raise typer.Exit


@app.callback()
def twinset(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Teach a sentence encoder a domain by contrast, and prove whether it got better.

    A model is "mini" (the built-in encoder), a folder, the folder of a run, or a hub id.
    """
