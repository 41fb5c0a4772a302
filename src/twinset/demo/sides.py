"""The corpus cut into sides: what is learned from, what settings are chosen by, and what is asked about.

Whole packages change sides, so two texts that belong together never part. What is left are copies: a
docstring of one package that says (nearly) the same in another. An entry stays out of the questions if its
summary or description is a near duplicate of any that was learned from or chosen by, or of one that stays
out for that reason, and so on: whole components of near duplicates stay out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from twinset.demo.corpus import Entry, digest, read_package
from twinset.demo.duplicates import Known
from twinset.demo.packages import Library, Package


@dataclass(frozen=True, kw_only=True)
class Sides:
    """held_out: entries by package. left_out: how many of a package are copies. read: by package, before.
    digest: of everything that was read."""

    training: tuple[Entry, ...]
    dev: tuple[Entry, ...]
    held_out: Mapping[str, tuple[Entry, ...]]
    left_out: Mapping[str, int]
    read: Mapping[str, int]
    digest: str


Through = Callable[[Iterable[Package]], Iterable[Package]]
"""Hands packages on one by one, and may show how far it is."""


def read_sides(library: Library, *, through: Through = iter) -> Sides:
    """Read the packages and keep copies out of the questions."""
    found = {package.name: tuple(read_package(package)) for package in through(tuple(library))}
    training = tuple(entry for package in library.training for entry in found[package.name])
    dev = without_copies(found[library.dev.name], training)
    seen = (*training, *found[library.dev.name])
    held_out = {package.name: without_copies(found[package.name], seen) for package in library.held_out}
    kept = {library.dev.name: dev, **held_out}
    return Sides(
        training=training,
        dev=dev,
        held_out=held_out,
        left_out={name: len(found[name]) - len(entries) for name, entries in kept.items()},
        read={name: len(entries) for name, entries in found.items()},
        digest=digest(entry for entries in found.values() for entry in entries),
    )


def without_copies(entries: Sequence[Entry], seen: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that no chain of near duplicates links to one that was seen."""
    kept, new = tuple(entries), tuple(seen)
    while new and kept:
        known = Known([text for entry in new for text in _texts(entry)])
        copied = known.holds([entry.summary for entry in kept])
        copied |= known.holds([entry.description for entry in kept])
        new = tuple(entry for entry, is_copy in zip(kept, copied, strict=True) if is_copy)
        kept = tuple(entry for entry, is_copy in zip(kept, copied, strict=True) if not is_copy)
    return kept


def _texts(entry: Entry) -> list[str]:
    return [text for text in (entry.summary, entry.description) if text]
