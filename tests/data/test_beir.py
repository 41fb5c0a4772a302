from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from twinset.data import read_beir, read_ir_dataset
from twinset.errors import DataError, RequestError

QUERIES = [
    {"_id": "q1", "text": "one?"},
    {"_id": "q2", "text": "two?", "metadata": {}},
    {"_id": "q3", "text": "3?"},
]
CORPUS = [
    {"_id": "d1", "title": "First", "text": "the first"},
    {"_id": "d2", "title": "", "text": "untitled"},
    {"_id": "d3", "text": ""},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    for name, items in (("queries", QUERIES), ("corpus", CORPUS)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    (tmp_path / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq3\td2\t2\nq1\td1\t1\nq1\td3\t0\n")
    (tmp_path / "qrels/dev.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td1\t1\n")
    return tmp_path


def test_a_folder_is_read_by_split(folder: Path) -> None:
    data = read_beir(folder)
    assert list(data.queries) == ["one?", "3?"]
    assert list(data.documents) == ["First the first", "untitled", ""]
    assert data.query_ids is not None
    assert data.document_ids is not None
    assert (list(data.query_ids), list(data.document_ids)) == (["q1", "q3"], ["d1", "d2", "d3"])
    judged = zip(data.query_of, data.document_of, data.relevance, strict=True)
    assert list(judged) == [(1, 1, 2), (0, 0, 1), (0, 2, 0)]
    assert list(read_beir(folder, "dev").queries) == ["two?"]


def test_what_is_wrong_is_named_with_file_and_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"train\.tsv: no such file; the splits are dev, test"):
        read_beir(folder, "train")
    with pytest.raises(DataError, match=r"nowhere: no such folder; a folder with queries\.jsonl"):
        read_beir(tmp_path / "nowhere")
    (folder / "qrels/bad.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td9\t1\n")
    with pytest.raises(
        DataError, match=r"bad\.tsv, line 2: 'corpus-id' is 'd9', which .*corpus\.jsonl does not"
    ):
        read_beir(folder, "bad")
    with (folder / "corpus.jsonl").open("a") as file:
        file.write('\n{"_id": 7, "text": "number"}\n')
    with pytest.raises(DataError, match=r"corpus\.jsonl, line 5: '_id' is missing or no text"):
        read_beir(folder)
    (folder / "corpus.jsonl").write_text('{"_id": "d1"')
    with pytest.raises(DataError, match=r"corpus\.jsonl, line 1: is no JSON"):
        read_beir(folder)
    (folder / "corpus.jsonl").write_text("\n")
    with pytest.raises(DataError, match=r"corpus\.jsonl: there is no text in it"):
        read_beir(folder)


@dataclass(frozen=True)
class Text:
    id: str
    text: str

    @property
    def query_id(self) -> str:
        return self.id

    doc_id = query_id

    def default_text(self) -> str:
        return self.text


class StandIn:
    """What `ir_datasets.load` gives, as of its version 0.6."""

    def __init__(self, *, qrels: bool = True) -> None:
        self._qrels = qrels

    def has_queries(self) -> bool:
        return True

    def has_docs(self) -> bool:
        return True

    def has_qrels(self) -> bool:
        return self._qrels

    def queries_iter(self) -> Iterator[Text]:
        return iter([Text("q1", "one?"), Text("q2", "two?")])

    def docs_iter(self) -> Iterator[Text]:
        return iter([Text("d1", "First the first"), Text("d2", "second")])

    def qrels_iter(self) -> Iterator[SimpleNamespace]:
        return iter([SimpleNamespace(query_id="q2", doc_id="d1", relevance=1)])


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def load(name: str) -> StandIn:
        asked.append(name)
        if name == "nowhere":
            raise KeyError(name)
        return StandIn(qrels=name != "toy")

    module = ModuleType("ir_datasets")
    module.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    return asked


def test_collections_of_ir_datasets(library: list[str]) -> None:
    data = read_ir_dataset("ir_datasets:toy/test")
    assert library == ["toy/test"]
    assert list(data.queries) == ["two?"]
    assert list(data.documents) == ["First the first", "second"]
    assert (data.query_of.tolist(), data.document_of.tolist(), data.relevance.tolist()) == ([0], [0], [1.0])
    assert read_ir_dataset("toy/test").document_ids == data.document_ids


@pytest.mark.usefixtures("library")
def test_collections_that_cannot_be_had() -> None:
    with pytest.raises(DataError, match="nowhere: ir_datasets knows no collection of this name"):
        read_ir_dataset("nowhere")
    with pytest.raises(DataError, match="toy: this collection has no qrels; name a part that has"):
        read_ir_dataset("toy")


def test_without_the_library_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(RequestError, match=r"pip install 'twinset\[ir-datasets\]'"):
        read_ir_dataset("toy")
