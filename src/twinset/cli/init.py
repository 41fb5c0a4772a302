"""`twinset init`: a commented run file on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from twinset.cli.output import say, show
from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.recipes import RunFile

_PLACEHOLDER = "your-texts.txt"
_AS_PAIRS = ("pairs", "triples")


def init(
    *,
    recipe: Annotated[str, typer.Option(help="Whose settings to begin with: consert, simcse.")] = "simcse",
    setting: Annotated[
        str, typer.Option(help="mini: for the built-in encoder. paper: the paper's numbers for BERT-base.")
    ] = "mini",
    data: Annotated[str | None, typer.Option(metavar="FILE", help="What to learn from.")] = None,
    study: Annotated[bool, typer.Option("--study", help="A study file instead: variants and seeds.")] = False,
) -> None:
    """Write a commented run file, or a study file.

    twinset init --recipe consert > run.toml
    """
    if study:
        from twinset.studies.example import example

        show(example(data or _PLACEHOLDER).rstrip("\n"))
        return
    from difflib import get_close_matches

    from twinset.recipes import RECIPES, SETTINGS, RunFile, TrainingData, to_toml

    for name, word, words in (("recipe", recipe, list(RECIPES)), ("setting", setting, list(SETTINGS))):
        if word not in words:
            near = get_close_matches(word, words, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise RequestError(f"--{name}: {word!r} is none of {', '.join(words)}{hint}")
    made = RECIPES[recipe]("paper" if setting == "paper" else "mini")
    encoder = "bert-base-uncased" if setting == "paper" else "mini"
    run = RunFile(encoder=encoder, data=TrainingData(train=data or _PLACEHOLDER), recipe=made)
    show(to_toml(run if data is None else _fitted(run)).rstrip("\n"))


def _fitted(run: RunFile) -> RunFile:
    """The run file for data that is at hand: its kind is looked up, pairs are taken as pairs."""
    from dataclasses import replace

    from twinset.recipes.sources import check_fit, kind_of_file, training_data
    from twinset.views import AsGiven

    kind = kind_of_file(run.data)
    run = replace(run, data=replace(run.data, kind=kind))
    if kind in _AS_PAIRS:
        say(f"{run.data.train} holds {kind}: its rows belong together (recipe.views.kind = 'as_given').")
        run = replace(run, recipe=replace(run.recipe, views=AsGiven()))
    check_fit(training_data(replace(run.data, limit=2)), run.recipe)
    return run
