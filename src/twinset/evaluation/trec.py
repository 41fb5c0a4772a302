"""Files of the TREC evaluation tools: a run says what a system found, qrels say what is right.

    run     query-id Q0 document-id rank score tag      qrels   query-id 0 document-id relevance

Fields are separated by blanks or tabs; a file may end in .gz. As in trec_eval, the rank is not read: the
order follows from the scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from twinset.data.files import open_text
from twinset.errors import DataError, RequestError, WorkError

Run = Mapping[str, Mapping[str, float]]
"""Scores by query id and document id."""

Qrels = Mapping[str, Mapping[str, float]]
"""Relevances by query id and document id."""


def read_run(path: str | Path) -> dict[str, dict[str, float]]:
    """Read what a system found."""
    return _gathered(Path(path), fields=6, document=2, value=4, what="query Q0 document rank score tag")


def read_qrels(path: str | Path) -> dict[str, dict[str, float]]:
    """Read what was judged."""
    return _gathered(Path(path), fields=4, document=2, value=3, what="query 0 document relevance")


def write_run(run: Run, path: str | Path, *, tag: str = "twinset") -> None:
    """Write a run, the best document first; of equal scores, in the order given."""
    if not tag or len(tag.split()) != 1:
        raise RequestError(f"tag {tag!r}: a run's name is one word")
    _write(Path(path), _run_lines(run, tag))


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """Write judgements; whole numbers without a point, as trec_eval wants them."""
    lines = (
        f"{_id(query)} 0 {_id(document)} {relevance:g}"
        for query, judged in qrels.items()
        for document, relevance in judged.items()
    )
    _write(Path(path), lines)


def _run_lines(run: Run, tag: str) -> Iterator[str]:
    for query, found in run.items():
        ranked = sorted(found.items(), key=lambda item: -item[1])
        for rank, (document, score) in enumerate(ranked, 1):
            yield f"{_id(query)} Q0 {_id(document)} {rank} {score!r} {tag}"


def _id(name: str) -> str:
    if len(name.split()) != 1:
        raise RequestError(f"id {name!r}: the files of TREC have no room for blanks or empty ids")
    return name


def _gathered(
    path: Path, *, fields: int, document: int, value: int, what: str
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    with open_text(path, "utf-8") as stream:
        for number, line in enumerate(stream, 1):
            cells = line.split()
            if not cells:
                continue
            place = f"{path}, line {number}"
            if len(cells) != fields:
                raise DataError(f"{place}: {len(cells)} fields where {fields} are expected: {what}")
            own = found.setdefault(cells[0], {})
            if cells[document] in own:
                raise DataError(
                    f"{place}: document {cells[document]!r} of query {cells[0]!r} stands there twice"
                )
            own[cells[document]] = _number(cells[value], place)
    if not found:
        raise DataError(f"{path}: there are only blank lines in it")
    return found


def _number(word: str, place: str) -> float:
    try:
        value = float("no" if "_" in word else word)
    except ValueError as error:
        raise DataError(f"{place}: {word!r} is not a number") from error
    if not math.isfinite(value):
        raise DataError(f"{place}: {word} is not a finite number")
    return value


def _write(path: Path, lines: Iterator[str]) -> None:
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        unfinished.replace(path)
    except OSError as error:
        raise WorkError(f"{path}: could not be written: {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
