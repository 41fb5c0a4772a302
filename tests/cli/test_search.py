from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import twinset


def test_one_query(texts: Path, tiny_folder: Path) -> None:
    told = json.loads(
        twinset("search", tiny_folder, texts, "text number 7 about a cat", "-k", 2, "--json").out
    )
    assert [hit["rank"] for hit in told["results"]] == [1, 2]
    assert told["results"][0]["text"] == "text number 7 about a cat"
    assert told["results"][0]["row"] == 8
    assert told["results"][0]["score"] >= told["results"][1]["score"]


def test_for_people(texts: Path, tiny_folder: Path) -> None:
    lines = twinset("search", tiny_folder, texts, "text number 7 about a cat").out.splitlines()
    assert len(lines) == 5
    assert lines[0].split() == ["1.000", *["text", "number", "7", "about", "a", "cat"]]


def test_queries_from_stdin(texts: Path, tiny_folder: Path) -> None:
    stdin = b"text number 3 about a cat\n\n text number 4 about a cat "
    told = json.loads(twinset("search", tiny_folder, texts, "-k", 1, "--json", stdin=stdin).out)
    assert [found["results"][0]["row"] for found in told["searches"]] == [4, 5]
    assert twinset("search", tiny_folder, texts, "-k", 1, stdin=stdin).out.count("\n") == 2
