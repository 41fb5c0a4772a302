from __future__ import annotations

from pathlib import Path

from tests.demo.entries import entry
from twinset.data import read_pairs
from twinset.demo.pairs import pairs, write_pairs

ENTRIES = [
    entry("pk.a:read_file", "Return the content.", "It is opened and closed."),
    entry("pk.a:size", "Say how large it is."),
    entry("pk.b:Read_File", "return the content"),  # the same pair in other letters
    entry("pk.b:read_the_file", "Read the file!", "Read the file."),  # two sides that say the same
]


def test_what_the_text_offers() -> None:
    assert pairs(ENTRIES) == [
        ("read file", "Return the content."),
        ("Return the content.", "It is opened and closed."),
        ("read file", "It is opened and closed."),
        ("size", "Say how large it is."),
    ]


def test_they_are_read_back_as_they_were(tmp_path: Path) -> None:
    found = [*pairs(ENTRIES), ('a "quoted"\ttext', "ein schöner – Text")]
    write_pairs(found, tmp_path / "pairs.jsonl")
    read = read_pairs(tmp_path / "pairs.jsonl", columns=("first", "second"))
    assert list(zip(*read.columns, strict=True)) == found
