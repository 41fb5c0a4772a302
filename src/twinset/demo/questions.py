"""Questions to a package's manuals whose right answers nobody here chose.

    description -> summary    the second thing a docstring says finds the first
    name -> summary           what a thing is called, in words, finds what it is said to be
    see also                  what its author points to, found among everything else in the package

Texts that differ in case and punctuation alone are one candidate; a question that several docstrings ask in
the same words has several right answers. The "See Also" lists themselves are in no question and in no
candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from twinset.demo.corpus import Entry
from twinset.demo.duplicates import normalised
from twinset.demo.links import Links

Kind = Literal["description", "name", "see_also"]
KINDS: tuple[Kind, ...] = ("description", "name", "see_also")


@dataclass(frozen=True, kw_only=True)
class Questions:
    """asked: q texts. right: for each the rows of `candidates` that answer it, one at least. own: for each
    the candidate that is the question itself and not to be found (-1: none). files: where each is asked."""

    kind: Kind
    package: str
    asked: tuple[str, ...]
    candidates: tuple[str, ...]
    right: tuple[tuple[int, ...], ...]
    own: tuple[int, ...]
    files: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.asked)


def questions(entries: Sequence[Entry], kind: Kind, *, package: str) -> Questions:
    """The questions of one kind to one package."""
    return _see_also(entries, package) if kind == "see_also" else _summaries(entries, kind, package)


def _summaries(entries: Sequence[Entry], kind: Kind, package: str) -> Questions:
    known = _Distinct(entry.summary for entry in entries)
    asked = _Distinct(entry.description if kind == "description" else entry.name for entry in entries)
    right: list[set[int]] = [set() for _ in asked.texts]
    for question, answer in zip(asked.rows, known.rows, strict=True):
        right[question].add(answer)
    kept = [row for row, text in enumerate(asked.texts) if text]
    return Questions(
        kind=kind,
        package=package,
        asked=tuple(asked.texts[row] for row in kept),
        candidates=tuple(known.texts),
        right=tuple(tuple(sorted(right[row])) for row in kept),
        own=(-1,) * len(kept),
        files=tuple(entries[asked.first[row]].module for row in kept),
    )


def _see_also(entries: Sequence[Entry], package: str) -> Questions:
    known, links = _Distinct(entry.text for entry in entries), Links(entries)
    right: dict[int, set[int]] = {}
    for row, entry in enumerate(entries):
        own = known.rows[row]
        found = {known.rows[each] for each in links.of(row, entry.see_also)} - {own}
        if found:
            right.setdefault(own, set()).update(found)
    return Questions(
        kind="see_also",
        package=package,
        asked=tuple(known.texts[own] for own in right),
        candidates=tuple(known.texts),
        right=tuple(tuple(sorted(found)) for found in right.values()),
        own=tuple(right),
        files=tuple(entries[known.first[own]].module for own in right),
    )


class _Distinct:
    """texts: each once, in order. first: where each is given first. rows: for each given, its row in
    `texts`."""

    def __init__(self, given: Iterable[str]) -> None:
        self.texts: list[str] = []
        self.first: list[int] = []
        self.rows: list[int] = []
        places: dict[str, int] = {}
        for number, text in enumerate(given):
            place = places.setdefault(normalised(text), len(self.texts))
            if place == len(self.texts):
                self.texts.append(text)
                self.first.append(number)
            self.rows.append(place)
