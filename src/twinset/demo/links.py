"""Which objects of its package a "See Also" list means.

Names are written as users import them, not as they are defined: `numpy.linalg.norm` lies in
`numpy.linalg._linalg`. So the longest ending of the written name that some object has decides; of several
objects, those nearest to the one that points at them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import final

from twinset.demo.corpus import Entry


@final
class Links:
    """The objects of one package, found by what others call them."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._paths = [tuple(entry.path.split(".")) for entry in entries]
        self._parts = {part for path in self._paths for part in path}
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for row, path in enumerate(self._paths):
            self._by_name[path[-1]].append(row)

    def of(self, row: int, names: Sequence[str]) -> tuple[int, ...]:
        """The rows that these names mean where they are written at `row`, ascending, itself left out."""
        found = {each for name in names for each in self._meant(row, tuple(name.split(".")))}
        return tuple(sorted(found - {row}))

    def _meant(self, row: int, name: tuple[str, ...]) -> list[int]:
        if name[0] not in self._parts:
            return []  # another package's, or a method of a type that is written in C
        named = self._by_name.get(name[-1], [])
        longest = max((_ending(self._paths[each], name) for each in named), default=0)
        meant = [each for each in named if _ending(self._paths[each], name) == longest]
        nearest = max((self._shared(row, each) for each in meant), default=0)
        return [each for each in meant if self._shared(row, each) == nearest]

    def _shared(self, one: int, other: int) -> int:
        return _ending(self._paths[one][::-1], self._paths[other][::-1])


def _ending(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many of the last parts are the same."""
    count = 0
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if mine != theirs:
            break
        count += 1
    return count
