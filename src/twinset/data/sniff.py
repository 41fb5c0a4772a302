"""Telling what kind of data a file looks like, by its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from twinset.data import kinds, read
from twinset.data.dataset import Dataset
from twinset.data.request import Chosen, Request
from twinset.data.source import Source, load_raw
from twinset.errors import DataError

KindName = Literal[
    "triples",
    "ranked lists",
    "scored pairs",
    "labelled pairs",
    "pairs",
    "labelled sentences",
    "sentences",
]

READERS: Mapping[KindName, tuple[kinds.Kind, Callable[..., Dataset]]] = {
    "triples": (kinds.TRIPLES, read.read_triples),
    "ranked lists": (
        replace(kinds.RANKED_LISTS, values=("relevance", "rel", "grade")),
        read.read_ranked_lists,
    ),
    "scored pairs": (kinds.SCORED_PAIRS, read.read_scored_pairs),
    "labelled pairs": (kinds.LABELLED_PAIRS, read.read_labelled_pairs),
    "pairs": (kinds.PAIRS, read.read_pairs),
    "labelled sentences": (kinds.LABELLED_SENTENCES, read.read_labelled_sentences),
    "sentences": (kinds.SENTENCES, read.read_sentences),
}
"""The kinds by how much they ask of the columns: the first that finds all of its own is what the data is."""


@dataclass(frozen=True, kw_only=True)
class Peek(Request):
    """A request that takes whatever column comes first and remembers which there are."""

    seen: list[str] = field(default_factory=list)

    def choose(self, present: Sequence[str], source: str) -> Chosen:
        if not present:
            raise DataError(f"{source}: has no columns")
        self.seen.extend(present)
        return Chosen(texts=(), value=present[0])


def sniff(source: Source, *, encoding: str = "utf-8") -> KindName:
    """Tell what kind of data a file or table looks like; `READERS` has the reader of each kind.

    Sentences are the last resort: the only column of texts, whatever its name.
    """
    if isinstance(source, Iterator):
        raise DataError("data: an iterator can be read only once; make it a list to find out what it holds")
    present = columns_of(source, _any_kind(), encoding=encoding)
    for name, (kind, _) in READERS.items():
        if _fits(kind, present):
            return name
    raise DataError(
        f"{source if isinstance(source, str) else 'the data given'}: its columns "
        f"({', '.join(map(repr, present))}) "
        f"say of no kind of data that it is this; read it with read_pairs, read_scored_pairs ... and "
        "columns=(...)"
    )


def columns_of(source: Source, kind: kinds.Kind, *, encoding: str = "utf-8") -> list[str]:
    """Name the columns of a file or table. kind: the names by which a header line is known."""
    peek = Peek(kind=kind, limit=1, encoding=encoding)
    load_raw(source, peek)
    return peek.seen


def read_any(source: Source, *, encoding: str = "utf-8", limit: int | None = None) -> Dataset:
    """Read a file or table as the kind of data it looks like."""
    _, reader = READERS[sniff(source, encoding=encoding)]
    return reader(source, encoding=encoding, limit=limit)


def _any_kind() -> kinds.Kind:
    """Make a kind that knows every column name, to tell a header line from data."""
    families = tuple(family for kind, _ in READERS.values() for family in kind.families)
    values = tuple(name for kind, _ in READERS.values() for name in kind.values)
    return kinds.Kind(name="data", fields=("text",), families=families, values=values)


def _fits(kind: kinds.Kind, present: Sequence[str]) -> bool:
    if list(present) == [str(i) for i in range(len(present))] and len(present) != 1:
        return False  # no names to go by
    try:
        chosen: Chosen = Request(kind=kind).choose(present, "")
    except DataError:
        return False
    return len(chosen.texts) == len(kind.fields)
