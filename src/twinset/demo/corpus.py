"""The demo's corpus: every documented object of some packages, as plain text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from twinset.demo.docstring import told_by
from twinset.demo.modules import documented
from twinset.demo.naming import in_words
from twinset.demo.packages import Package


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One documented object: `thing` is its name within the module, with its class in front if it has one.
    `description` may be empty; `see_also` are names as they are written."""

    package: str
    module: str
    thing: str
    summary: str
    description: str
    see_also: tuple[str, ...]

    @property
    def path(self) -> str:
        """Its dotted name."""
        return f"{self.module}.{self.thing}"

    @property
    def name(self) -> str:
        """Its name in words, without the module."""
        return in_words(self.thing)

    @property
    def text(self) -> str:
        """What a search index would hold of it."""
        return f"{self.name}: {self.summary}"


def read_package(package: Package) -> list[Entry]:
    """The entries of one package, in the order of its files."""
    entries: list[Entry] = []
    for file in package.files():
        module = package.module(file)
        for found in documented(file.read_bytes()):
            told = told_by(found.docstring)
            if told is not None:
                entries.append(
                    Entry(
                        package=package.name,
                        module=module,
                        thing=found.path,
                        summary=told.summary,
                        description=told.description,
                        see_also=told.see_also,
                    )
                )
    return entries


def digest(entries: Iterable[Entry]) -> str:
    """The same on two machines if, and only if, they read the same text."""
    found = hashlib.sha256()
    for entry in entries:
        parts = (entry.package, entry.path, entry.summary, entry.description, *entry.see_also)
        found.update(("\x1f".join(parts) + "\x1e").encode("utf-8", "surrogatepass"))
    return found.hexdigest()[:16]
