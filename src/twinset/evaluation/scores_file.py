"""`scores.json`: the scores of a suite with every single prediction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from twinset.errors import DataError, RequestError, WorkError
from twinset.evaluation.fields import UnexpectedError, mapping, whole
from twinset.evaluation.read_items import Entry, read_task
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.task import TaskScores

OLD = "written before shared texts were kept track of: each item is taken for independent"


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

    Every metric is worked out anew from the items, so what a comparison says and what the file says cannot
    disagree. A file from before clusters were kept is read with each item as a cluster of its own, and says
    so in its notes.
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
        fields = mapping(record, "the file")
        tasks, poolings = (
            mapping(fields.get("items"), "items"),
            mapping(fields.get("poolings"), "poolings"),
        )
        scores, notes = _scores(tasks, tuple(poolings))
    except (UnexpectedError, RequestError) as error:
        raise DataError(
            f"{source}: not the scores of a suite with its items: {error}; "
            "evaluate the encoder again to write a new one"
        ) from error
    told = (f"{source}: {note}" for note in notes)
    return SuiteScores(
        suite=str(fields.get("suite")),
        encoder=str(fields.get("encoder")),
        scores=scores,
        file_notes=tuple(told),
    )


def _scores(
    tasks: Mapping[str, object], poolings: Sequence[str]
) -> tuple[dict[str, dict[str, TaskScores]], tuple[str, ...]]:
    scores: dict[str, dict[str, TaskScores]] = {pooling: {} for pooling in poolings}
    alone, first = list[str](), 0
    for name, content in tasks.items():
        fields = mapping(content, f"items.{name}")
        known = fields.get("clusters") is not None
        clusters = whole(fields["clusters"], f"items.{name}.clusters") if known else None
        if clusters is None:
            alone.append(name)
        mark = str(fields.get("fingerprint") or "")
        for pooling in poolings:
            entry = Entry(task=name, pooling=pooling, fields=fields, clusters=clusters, fingerprint=mark)
            scores[pooling][name] = read_task(entry, first)
        first += len(scores[poolings[0]][name])
    if alone:
        return scores, (f"{OLD} ({', '.join(alone)})",)
    return scores, ()
