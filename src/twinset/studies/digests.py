"""Whether a file is still what it was: a finished cell is one of its data, not of the data's name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from twinset.errors import DataError

Digests = Mapping[str, str | None]


def digests(names: Iterable[str | None]) -> dict[str, str | None]:
    """Of each file; None for a folder, and for what is not there."""
    found: dict[str, str | None] = {}
    for name in filter(None, names):
        path = Path(name)
        try:
            facts = path.stat() if path.is_file() else None
            found[name] = None if facts is None else _digest(path, (facts.st_size, facts.st_mtime_ns))
        except OSError as error:
            raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    return found


def differ(before: Digests, now: Digests) -> bool:
    """Whether a file has other content now. One that is gone, or was a folder, says nothing."""
    return any(now.get(name) not in (None, known) for name, known in before.items() if known is not None)


@lru_cache(maxsize=1_000)
def _digest(path: Path, _: tuple[int, int]) -> str:
    """A file of another size or time is read again."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
