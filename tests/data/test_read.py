from __future__ import annotations

import csv
import gzip
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinset.data import (
    Dataset,
    read_labelled_pairs,
    read_labelled_sentences,
    read_pairs,
    read_ranked_lists,
    read_scored_pairs,
    read_sentences,
    read_triples,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
        st.sampled_from("\",;\t\n\r'\\ \u4f60\u597d\U0001f600"),
    ),
    min_size=1,
).filter(str.strip)
ROWS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=12)
NAMES = ("sentence1", "sentence2")


def write(path: Path, rows: list[tuple[str, str]]) -> None:
    """Write pairs as another program would, in the format of the suffix."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind == "parquet":
        columns = {name: [row[i] for row in rows] for i, name in enumerate(NAMES)}
        pq.write_table(pa.table(columns), path)
        content = path.read_bytes()
    elif kind == "jsonl":
        content = "".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in rows).encode()
    else:
        plain = path.with_suffix(".plain")
        with plain.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, delimiter="," if kind == "csv" else "\t", quoting=csv.QUOTE_ALL)
            writer.writerows([NAMES, *rows])
        content = plain.read_bytes()
    path.write_bytes(gzip.compress(content) if path.name.endswith(".gz") else content)


@pytest.mark.parametrize(
    "name", ["a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.csv.gz", "a.jsonl.gz", "a.parquet.gz"]
)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("trip")

    @given(ROWS)
    def trip(rows: list[tuple[str, str]]) -> None:
        write(folder / name, rows)
        data = read_pairs(folder / name)
        assert list(zip(data.first, data.second, strict=True)) == rows

    trip()


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n"), min_size=1).filter(
        str.strip
    ),
    min_size=1,
)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_round_trip_of_plain_lines(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.mktemp("trip") / name

    @given(LINES)
    def trip(texts: list[str]) -> None:
        content = ("\n".join(texts) + "\n").encode()
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        first = texts[0].removeprefix("\ufeff")
        assert list(read_sentences(path).texts) == [text for text in [first, *texts[1:]] if text.strip()]

    trip()


def test_every_reader_gives_its_kind() -> None:
    triples = read_triples([{"premise": "p", "entailment": "e", "contradiction": "c"}])
    assert [column[0] for column in triples.columns] == ["p", "e", "c"]
    scored = read_scored_pairs([{"text1": "a", "text2": "b", "similarity": 3, "subset": "news"}])
    assert (scored.scores.tolist(), list(scored.groups)) == ([3.0], ["news"])
    labelled = read_labelled_pairs([{"premise": "a", "hypothesis": "b", "label": "neutral"}])
    assert labelled.label_names == ("neutral",)
    sentences = read_labelled_sentences([("good", "pos"), ("bad", "neg")])
    assert (sentences.label_names, sentences.labels.tolist()) == (("neg", "pos"), [1, 0])
    assert read_sentences(["a"], roles="document").roles == ("document",)


def test_ranked_lists_hold_each_query_once() -> None:
    rows = [("q1", "a", 1), ("q2", "b", 0), ("q1", "c", 2)]
    data = read_ranked_lists([dict(zip(("question", "answer", "label"), row, strict=True)) for row in rows])
    assert list(data.queries) == ["q1", "q2"]
    assert data.query_of.tolist() == [0, 1, 0]
    assert data.relevance.tolist() == [1, 0, 2]
    assert data.roles == ("query", "document")


@pytest.mark.parametrize("read", [read_pairs, read_scored_pairs, read_labelled_pairs])
def test_roles_follow_names_unless_they_are_given(read: Callable[..., Dataset]) -> None:
    rows = [{"question": "a", "answer": "b", "score": 1, "label": 1}]
    assert read(rows).roles == ("query", "document")
    assert read(rows, roles=("query", "query")).roles == ("query", "query")


@pytest.mark.parametrize(
    ("read", "names"),
    [
        (read_sentences, ("text",)),
        (read_labelled_sentences, ("text", "label")),
        (read_pairs, ("first", "second")),
        (read_scored_pairs, ("first", "second", "score")),
        (read_labelled_pairs, ("first", "second", "label")),
        (read_triples, ("anchor", "positive", "negative")),
        (read_ranked_lists, ("query", "text", "relevance")),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_reader_keeps_roles_groups_and_notes(
    tmp_path: Path, read: Callable[..., Dataset], names: tuple[str, ...]
) -> None:
    path = tmp_path / "a.csv"
    rows = [names, *[["1"] * len(names)] * 2, [" "] * len(names)]
    content = [[*row, name] for row, name in zip(rows, ("topic", "x", "y", "y"), strict=True)]
    path.write_text("".join(",".join(row) + "\n" for row in content))
    width = len(read(path).columns)
    data = read(path, groups="topic", roles=["query"] * width)
    assert data.groups is not None
    assert list(data.groups) == ["x", "y"]
    assert data.roles == ("query",) * width
    assert data.notes == (f"{path}: 1 lines with an empty text left out (the first: line 4)",)
