"""`scores.json`: the scores of an STS suite with every single prediction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import cast

import numpy as np

from twinset.data.groups import Groups
from twinset.errors import DataError, WorkError
from twinset.evaluation.sts import StsItems, StsScores, score
from twinset.evaluation.suite_scores import SuiteScores


def write_scores(scores: SuiteScores, path: Path | str) -> None:
    """Write scores and items to `path`, whole or not at all."""
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(scores.to_json(), allow_nan=False) + "\n", encoding="utf-8")
        unfinished.replace(target)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise WorkError(f"{target}: the scores could not be written: {error.strerror or error}") from error


def read_scores(path: Path | str) -> SuiteScores:
    """Read what `write_scores` wrote.

    Correlations are worked out anew from the items, so what a comparison says and what the file says cannot
    disagree.
    """
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise DataError(
            f"{path}: not JSON: {error}; evaluate the encoder again to write a new one"
        ) from error
    return suite_scores(record, source=str(path))


def suite_scores(record: object, *, source: str = "scores.json") -> SuiteScores:
    """Build scores from the content of a `scores.json`. `source` is what messages call it."""
    try:
        fields = _mapping(record, "the file")
        scores = _scores(_mapping(fields.get("poolings"), "poolings"), _mapping(fields.get("items"), "items"))
    except (_Unexpected, DataError) as error:
        raise DataError(
            f"{source}: not the scores of an STS suite with its items: {error}; "
            "evaluate the encoder again to write a new one"
        ) from error
    return SuiteScores(suite=str(fields.get("suite")), encoder=str(fields.get("encoder")), scores=scores)


class _Unexpected(Exception):  # noqa: N818 - never leaves this file
    """Part of the file is not what it should be."""


def _scores(poolings: Mapping[str, object], tasks: Mapping[str, object]) -> dict[str, dict[str, StsScores]]:
    scores: dict[str, dict[str, StsScores]] = {}
    for pooling, name in product(poolings, tasks):
        entry = _mapping(tasks[name], f"items.{name}")
        items = _items(entry, f"items.{name}", pooling)
        one_set = bool(entry.get("one_set"))
        scores.setdefault(pooling, {})[name] = score(name, items, pooling=pooling, one_set=one_set)
    return scores


def _items(entry: Mapping[str, object], place: str, pooling: str) -> StsItems:
    predictions = _mapping(entry.get("predicted"), f"{place}.predicted")
    gold = _numbers(entry.get("gold"), f"{place}.gold")
    predicted = _numbers(predictions.get(pooling), f"{place}.predicted.{pooling}")
    ids = _numbers(entry.get("subset"), f"{place}.subset")
    names = tuple(str(name) for name in _list(entry.get("subsets"), f"{place}.subsets"))
    if not len(gold) == len(predicted) == len(ids):
        raise _Unexpected(
            f"{place} has {len(gold)} gold scores, {len(ids)} subset numbers and "
            f"{len(predicted)} predictions under {pooling}"
        )
    return StsItems(groups=Groups(ids.astype(np.int64), names), gold=gold, predicted=predicted)


def _mapping(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict) or not value:
        raise _Unexpected(f"{place} is missing, empty or no object")
    return cast("Mapping[str, object]", value)


def _list(value: object, place: str) -> Sequence[object]:
    if not isinstance(value, list) or not value:
        raise _Unexpected(f"{place} is missing, empty or no list")
    return cast("Sequence[object]", value)


def _numbers(value: object, place: str) -> np.ndarray:
    """Numbers (n,) float64; null is "not a number"."""
    try:
        return np.array(_list(value, place), dtype=np.float64).reshape(-1)
    except (TypeError, ValueError) as error:
        raise _Unexpected(f"{place} holds something that is no number") from error
