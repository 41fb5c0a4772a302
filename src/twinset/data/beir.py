"""Search collections as BEIR lays them out, and those that the library ir_datasets knows."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from twinset.data.collection import Collection
from twinset.data.files import open_text
from twinset.data.jsonl import json_object
from twinset.data.judged import collection_of, load_judgements
from twinset.data.raw import Collector, Raw
from twinset.data.request import Chosen
from twinset.errors import DataError, RequestError

if TYPE_CHECKING:
    import pyarrow as pa

IR_DATASETS = "ir_datasets:"
"""What stands before the name of a collection that ir_datasets knows: `ir_datasets:beir/scifact/test`."""


def read_beir(folder: str | Path, split: str = "test") -> Collection:
    """Read queries.jsonl (_id, text), corpus.jsonl (_id, title, text) and qrels/<split>.tsv.

    A document is its title and its text. Of the queries, those that the split judges are kept.
    """
    root = Path(folder)
    if not root.is_dir():
        what = "is a file" if root.exists() else "no such folder"
        raise DataError(f"{root}: {what}; a folder with queries.jsonl, corpus.jsonl and qrels/ is expected")
    judgements = root / "qrels" / f"{split}.tsv"
    if not judgements.is_file():
        there = sorted(path.stem for path in (root / "qrels").glob("*.tsv"))
        raise DataError(f"{judgements}: no such file; the splits are {', '.join(there) or '(none)'}")
    queries, documents = _read(root / "queries.jsonl"), _read(root / "corpus.jsonl")
    return _judged_only(collection_of(queries, documents, load_judgements(judgements)))


def read_ir_dataset(name: str) -> Collection:
    """Read a collection by its name in ir_datasets, with or without `ir_datasets:` in front; the library
    fetches it where it is not there yet. Of the queries, those that are judged are kept."""
    try:
        library: Any = importlib.import_module("ir_datasets")
    except ImportError as error:
        raise RequestError(
            f"{name}: the library ir_datasets is not installed: pip install 'twinset[ir-datasets]'"
        ) from error
    short = name.removeprefix(IR_DATASETS)
    try:
        data: Any = library.load(short)
    except KeyError as error:
        raise DataError(f"{short}: ir_datasets knows no collection of this name") from error
    lacking = [part for part in ("queries", "docs", "qrels") if not getattr(data, f"has_{part}")()]
    if lacking:
        raise DataError(f"{short}: this collection has no {' and no '.join(lacking)}; name a part that has")
    queries = _gathered(short, ((each.query_id, each.default_text()) for each in data.queries_iter()))
    documents = _gathered(short, ((each.doc_id, each.default_text()) for each in data.docs_iter()))
    judged = [(each.query_id, each.doc_id, each.relevance) for each in data.qrels_iter()]
    return _judged_only(collection_of(queries, documents, load_judgements(_table(judged))))


def _read(path: Path) -> Raw:
    return _collected(str(path), "line", _lines(path))


def _lines(path: Path) -> Iterator[tuple[int, str, str]]:
    with open_text(path, "utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            item = json_object(line, f"{path}, line {number}")
            for field in ("_id", "text"):
                if not isinstance(item.get(field), str):
                    raise DataError(f"{path}, line {number}: {field!r} is missing or no text")
            title = item.get("title")
            text = f"{title} {item['text']}" if isinstance(title, str) else str(item["text"])
            yield number, str(item["_id"]), text.strip()


def _gathered(name: str, items: Iterable[tuple[str, str]]) -> Raw:
    return _collected(name, "item", ((number, *item) for number, item in enumerate(items, 1)))


def _collected(name: str, unit: str, items: Iterable[tuple[int, str, str]]) -> Raw:
    collector = Collector(name, unit, Chosen(texts=("id", "text")))
    for number, key, text in items:
        collector.add([key, text], number)
    if not len(collector):
        raise DataError(f"{name}: there is no text in it")
    return collector.finish()


def _table(judged: list[tuple[str, str, int]]) -> pa.Table:
    import pyarrow as pa

    columns = zip(*judged, strict=True) if judged else ([], [], [])
    names = ("query_id", "doc_id", "relevance")
    return pa.table({name: list(column) for name, column in zip(names, columns, strict=True)})


def _judged_only(whole: Collection) -> Collection:
    return whole.take_queries(np.unique(whole.query_of))
