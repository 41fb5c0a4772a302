"""From what a run file names to data in memory, and whether the recipe can learn from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from twinset import data
from twinset.data import Dataset, Sentences, Texts
from twinset.data.folder import DEV_NAMES
from twinset.errors import RecipeError
from twinset.evaluation import Sts, suites
from twinset.recipes.runfile import DataKind, TrainingData
from twinset.training import Recipe, fit

_READERS: dict[DataKind, Any] = {
    "sentences": data.read_sentences,
    "pairs": data.read_pairs,
    "scored_pairs": data.read_scored_pairs,
    "labelled_pairs": data.read_labelled_pairs,
    "triples": data.read_triples,
}
_LEARNED_AS: dict[str, DataKind] = {
    "labelled sentences": "sentences",
    "labelled pairs": "labelled_pairs",
    "scored pairs": "scored_pairs",
    "sentences": "sentences",
    "pairs": "pairs",
    "triples": "triples",
}


def training_data(settings: TrainingData) -> Dataset:
    """Read what [data] names."""
    kind = settings.kind if settings.kind != "auto" else kind_of_file(settings)
    columns = settings.columns
    if kind == "sentences" and columns is not None and len(columns) > 1:
        return _together([_read(settings, kind, (column,)) for column in columns])
    return _read(settings, kind, columns)


def watch(settings: TrainingData) -> Sts | None:
    """What [data] dev names: a file of scored pairs, or a folder of data with STS-B in it."""
    if settings.dev is None:
        return None
    path = Path(settings.dev)
    if path.is_dir():
        task = suites.stsb_dev_task(path)
        return Sts(task.pairs, name=task.name)
    where = _where(settings.dev_split)
    return Sts(data.read_scored_pairs(path, where=where, encoding=settings.encoding), name=path.stem)


def check_fit(learned: Dataset, recipe: Recipe) -> None:
    """That data and recipe fit, told in a run file's words."""
    try:
        fit.check_fit(learned, recipe)
    except RecipeError as error:
        raise RecipeError(f"recipe.{error}") from error


def kind_of_file(settings: TrainingData) -> DataKind:
    """What a file looks like, of what can be learned from."""
    if settings.columns is not None:
        if len(settings.columns) == 1:
            return "sentences"
        raise RecipeError("data.kind: say what the columns named are: sentences, pairs, triples ...")
    found = data.sniff(settings.train, encoding=settings.encoding)
    if found not in _LEARNED_AS:
        raise RecipeError(
            f"data.kind: {settings.train} looks like {found}, which no recipe learns from as it is; "
            f"say {', '.join(_READERS)}, and data.columns"
        )
    return _LEARNED_AS[found]


def _read(settings: TrainingData, kind: DataKind, columns: Sequence[str | int] | None) -> Dataset:
    roles = None if settings.roles is None else [role or None for role in settings.roles]
    read = _READERS[kind](
        settings.train,
        columns=columns,
        roles=roles,
        where=_where(settings.split),
        limit=settings.limit,
        encoding=settings.encoding,
    )
    return cast("Dataset", read)


def _together(parts: Sequence[Dataset]) -> Sentences:
    """The texts of several columns, one column after the other."""
    arrays = [part.columns[0].arrow for part in parts]
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    texts = Texts(pa.chunked_array(arrays, type=pa.large_string()))
    return Sentences(texts, roles=parts[0].roles, notes=notes)


def _where(split: str | None) -> dict[str, str | tuple[str, ...]]:
    if split is None:
        return {}
    return {"split": DEV_NAMES if split.lower() in DEV_NAMES else split}
