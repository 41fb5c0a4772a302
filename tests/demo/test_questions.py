from __future__ import annotations

import pytest

from tests.demo.entries import entry
from twinset.demo.questions import KINDS, Kind, Questions, questions

ENTRIES = [
    entry("pk.a:read_file", "Read a file.", "It is opened and closed.", ("write_file", "Box.seal")),
    entry("pk.a:write_file", "Write a file.", "", ("read_file",)),
    entry("pk.b:Box.open", "Open the box.", "it is opened, and closed"),
    entry("pk.b:Box.seal", "Read A FILE!", "Nothing more goes in.", ("Box.open", "numpy.seal")),
    entry("pk.c:Box.seal", "Close it for good.", "Nothing more goes in.", ("Box.seal",)),
]


def test_descriptions() -> None:
    assert questions(ENTRIES, "description", package="pk") == Questions(
        kind="description",
        package="pk",
        asked=("It is opened and closed.", "Nothing more goes in."),
        candidates=("Read a file.", "Write a file.", "Open the box.", "Close it for good."),
        right=((0, 2), (0, 3)),  # equal texts ask one question, with several right answers
        own=(-1, -1),
        files=("pk.a", "pk.b"),
    )


def test_names() -> None:
    found = questions(ENTRIES, "name", package="pk")
    assert found.asked == ("read file", "write file", "box open", "box seal")
    assert found.right == ((0,), (1,), (2,), (0, 3))
    assert found.files == ("pk.a", "pk.a", "pk.b", "pk.b")


def test_see_also() -> None:
    found = questions(ENTRIES, "see_also", package="pk")
    assert found.candidates == tuple(each.text for each in ENTRIES)
    assert found.asked == tuple(ENTRIES[row].text for row in (0, 1, 3))
    assert found.right == ((1, 3, 4), (0,), (2,))
    assert found.own == (0, 1, 3)
    assert found.files == ("pk.a", "pk.a", "pk.b")


@pytest.mark.parametrize("kind", KINDS)
def test_the_see_also_lists_are_in_no_text(kind: Kind) -> None:
    found = questions(ENTRIES, kind, package="pk")
    words = " ".join((*found.asked, *found.candidates))
    assert "numpy" not in words
    assert "write_file" not in words
    assert all(0 <= row < len(found.candidates) for rows in found.right for row in rows)
    assert all(rows for rows in found.right)
    assert all(own not in rows for own, rows in zip(found.own, found.right, strict=True))


def test_nothing_to_ask() -> None:
    assert not len(questions(ENTRIES[1:2], "description", package="pk"))
    assert not len(questions([], "see_also", package="pk"))
