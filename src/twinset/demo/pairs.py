"""The pairs that the manuals offer by themselves: what belongs together because one author wrote it so.

(name in words, summary)     (summary, description)     (name in words, description)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from twinset.demo.corpus import Entry
from twinset.demo.duplicates import normalised

Pair = tuple[str, str]


def pairs(entries: Sequence[Entry]) -> list[Pair]:
    """Each pair once; two sides that say the same teach nothing."""
    found: dict[Pair, Pair] = {}
    for first, second in _offered(entries):
        key = (normalised(first), normalised(second))
        if all(key) and key[0] != key[1]:
            found.setdefault(key, (first, second))
    return list(found.values())


def _offered(entries: Iterable[Entry]) -> Iterable[Pair]:
    for entry in entries:
        yield entry.name, entry.summary
        yield entry.summary, entry.description
        yield entry.name, entry.description


def write_pairs(found: Iterable[Pair], file: Path) -> None:
    """One JSON object a line, as `twinset train` reads pairs."""
    with file.open("w", encoding="utf-8") as lines:
        for first, second in found:
            lines.write(json.dumps({"first": first, "second": second}) + "\n")
