"""Whether data and recipe fit each other: asked before any training starts, of run files and Python alike."""

from __future__ import annotations

from typing import Any, cast

from twinset.data import Dataset, read_sentences
from twinset.encoder.graph import Graph
from twinset.errors import RecipeError, RequestError
from twinset.objectives import WeightedSum
from twinset.training.recipe import Recipe
from twinset.types import Objective


def check_arguments(encoder: object, data: object, recipe: object, dev: object) -> Dataset:
    """The data; anything that is not what `train` takes is told, with what to give instead."""
    if not hasattr(encoder, "backbone"):
        raise RequestError(f"encoder: {encoder!r} is no Encoder; Encoder.from_pretrained(...) makes one")
    if isinstance(getattr(cast("Any", encoder).backbone, "model", None), Graph):
        raise RequestError(f"encoder: {encoder!r} cannot be trained; open the model with backend='torch'")
    if not isinstance(recipe, Recipe):
        raise RequestError(f"recipe: {recipe!r} is no Recipe; recipes.simcse(), say, gives one")
    if dev is not None and not callable(dev):
        kind = type(dev).__name__
        raise RequestError(f"dev: {kind} cannot be called with an encoder; tasks.Sts(pairs), say, can")
    return data if isinstance(data, Dataset) else read_sentences(cast("Any", data))


def check_fit(data: Dataset, recipe: Recipe) -> None:
    """That the recipe uses what the data says, and says nothing that the data does not mean."""
    columns = len(data.columns)
    if columns > 1:
        _check_facts(data, recipe)
    if (
        columns > 1
        and recipe.views.count(columns) > columns
        and not isinstance(recipe.objective, WeightedSum)
    ):
        raise RecipeError(
            f"views: two looks at each of {columns} columns; which belong together is not said. "
            "Rows that belong together want views.kind = 'as_given'; single texts want a single column "
            "(data.kind = 'sentences' and data.columns in a run file)."
        )
    recipe.check(columns=columns, labels=data.labels is not None, scores=data.scores is not None)


def _check_facts(data: Dataset, recipe: Recipe) -> None:
    asking: list[Objective] = [objective for _, objective in recipe.asking()]
    for name, values in (("scores", data.scores), ("labels", data.labels)):
        if values is not None and not any(getattr(each.needs, name) for each in asking):
            raise RequestError(
                f"data: its rows have {name}, and nothing in this recipe learns from them: every row would "
                "count as a pair that belongs together. Read it as sentences, with the columns of the texts "
                "alone, or as pairs where every row does belong together (data.kind and data.columns in a "
                "run file)."
            )
