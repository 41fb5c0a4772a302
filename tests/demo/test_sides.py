from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.demo.entries import entry
from twinset.demo.corpus import digest, read_package
from twinset.demo.packages import Library, Package
from twinset.demo.sides import read_sides, without_copies

SEEN = (
    entry("a.m:f", "Turn the gear around its axis."),
    entry("a.m:g", "Other words.", "A story of its own."),
)


def test_copies_stay_out_by_summary_and_by_description() -> None:
    kept = entry("b.m:f", "Open the door of the house.", "It must not be locked from inside.")
    copies = (
        entry("b.m:g", "Turn the gear around its axis!"),
        entry("b.m:h", "A summary nobody has.", "A story of its own"),
        entry("b.m:i", "A story of its own."),  # another's description
    )
    assert without_copies((*copies, kept), SEEN) == (kept,)


def test_copies_of_copies_stay_out() -> None:
    chain = (
        entry("b.m:f", "Turn the gear around its axis now."),
        entry("b.m:g", "Turn the gear around its left side now."),
        entry("b.m:h", "Turn it and around its left side now."),
    )
    assert without_copies(chain[2:], SEEN) == chain[2:]
    assert without_copies(chain[1:], SEEN) == chain[1:]
    assert without_copies(chain, SEEN) == ()


def test_nothing_seen_keeps_everything() -> None:
    assert without_copies(SEEN, ()) == SEEN
    assert without_copies((), SEEN) == ()


def test_an_empty_description_is_no_copy_of_another() -> None:
    entries = (entry("b.m:f", "Nobody says so."),)
    assert without_copies(entries, SEEN) == entries


def test_the_sides_of_a_library(library: Library) -> None:
    read: list[str] = []

    def through(packages: Iterable[Package]) -> Iterator[Package]:
        for package in packages:
            read.append(package.name)
            yield package

    sides = read_sides(library, through=through)
    assert read == ["bk_taught", "bk_dev", "bk_asked", "bk_other"]
    assert len(sides.training) == 24
    assert len(sides.dev) == 8
    assert {name: len(entries) for name, entries in sides.held_out.items()} == {"bk_asked": 8, "bk_other": 8}
    assert sides.left_out == {"bk_dev": 0, "bk_asked": 0, "bk_other": 0}
    assert sides.read == {"bk_taught": 24, "bk_dev": 8, "bk_asked": 8, "bk_other": 8}
    assert sides.digest == digest(each for package in library for each in read_package(package))


def test_copies_of_the_dev_package_stay_out_of_the_held_out_ones(library: Library) -> None:
    asked = library.held_out[0].files()[-1]
    words = read_package(library.dev)[0]
    text = asked.read_text(encoding="utf-8")
    asked.write_text(f'{text}def again():\n    """{words.summary}"""\n', encoding="utf-8")
    sides = read_sides(library)
    assert sides.left_out == {"bk_dev": 0, "bk_asked": 1, "bk_other": 0}
    assert sides.read["bk_asked"] == 9
    assert "again" not in {each.thing for each in sides.held_out["bk_asked"]}
