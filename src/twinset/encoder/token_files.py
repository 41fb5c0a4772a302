"""The files of kept tokens: ids and starts, both growing, and a manifest that says what of them counts.

    KEY/ids.i32        the ids of all texts, end to end
    KEY/starts.i64     where each text begins, and the end of the last
    KEY/manifest.json  how many texts and tokens, and checksums
    KEY/lock           held by the process that reads or writes the manifest

Ids and starts are on the disk before the manifest that counts them takes the old one's place. A process that
is killed leaves a manifest, and behind what it counts at most some bytes that are cut off again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import final

import numpy as np

from twinset.encoder.tokens import TokenStore

IDS, STARTS, MANIFEST = "ids.i32", "starts.i64", "manifest.json"
_DRAFT, _LOCK = "manifest.json.draft", "lock"
_AT_ONCE = 1 << 23  # bytes of a file that are in memory while its checksum is taken


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a manifest says. The checksums are CRC-32 of the bytes that count."""

    texts: int = 0
    tokens: int = 0
    truncated: int = 0
    ids_sum: int = 0
    starts_sum: int = 0

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes that count, by file."""
        return {IDS: 4 * self.tokens, STARTS: 8 * (self.texts + 1)}

    @property
    def sums(self) -> dict[str, int]:
        """Checksums by file."""
        return {IDS: self.ids_sum, STARTS: self.starts_sum}


@final
class TokenFiles:
    """The files below one folder. All but `store` only while `alone`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def alone(self, *, waiting: Callable[[], None]) -> Generator[None]:
        """Nobody else is in here; who dies leaves it open. `waiting` is called where someone is in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        handle = _opened(self.folder / _LOCK)
        try:
            _lock(handle, waiting)
            yield
        finally:
            os.close(handle)

    def written(self) -> Written | None:
        """What is there of it so far; None where it cannot be trusted."""
        manifest = self.folder / MANIFEST
        if not manifest.exists():
            return Written()
        try:
            found = Written(**json.loads(manifest.read_text(encoding="utf-8")))
            sound = all(
                _sum(self.folder / name, size) == found.sums[name] for name, size in found.sizes.items()
            )
        except (ValueError, TypeError, FileNotFoundError):
            return None
        return found if sound else None

    def begin(self, written: Written) -> None:
        """Cut off what the manifest does not count; where it counts nothing, start with new files.

        New ones, not the old ones emptied: another process may still have those before it.
        """
        if written == Written():
            self.clear()
            (self.folder / IDS).write_bytes(b"")
            (self.folder / STARTS).write_bytes(b"")
            return
        for name, size in written.sizes.items():
            os.truncate(self.folder / name, size)

    def append(self, before: Written, part: TokenStore) -> Written:
        """Write these texts after those before; gives what is there then."""
        ends = part.starts[1:] + before.tokens
        starts = np.concatenate([[0], ends]) if before.texts == 0 else ends
        ids_bytes, starts_bytes = part.ids.astype("<i4").tobytes(), starts.astype("<i8").tobytes()
        _append(self.folder / IDS, ids_bytes)
        _append(self.folder / STARTS, starts_bytes)
        after = Written(
            texts=before.texts + len(part),
            tokens=before.tokens + len(part.ids),
            truncated=before.truncated + part.truncated,
            ids_sum=zlib.crc32(ids_bytes, before.ids_sum),
            starts_sum=zlib.crc32(starts_bytes, before.starts_sum),
        )
        self._put_manifest(after)
        return after

    def store(self, written: Written, pad_id: int) -> TokenStore:
        """The tokens, mapped from the files: what is looked at is read then."""
        ids = np.memmap(self.folder / IDS, dtype="<i4", mode="r", shape=(written.tokens,))
        starts = np.memmap(self.folder / STARTS, dtype="<i8", mode="r", shape=(written.texts + 1,))
        # As plain arrays: a memmap's own indexing takes longer than what it looks up.
        return TokenStore(
            ids=np.asarray(ids), starts=np.asarray(starts), pad_id=pad_id, truncated=written.truncated
        )

    def clear(self) -> None:
        """Nothing is there any more but the lock."""
        for name in (MANIFEST, _DRAFT, IDS, STARTS):
            (self.folder / name).unlink(missing_ok=True)

    def _put_manifest(self, written: Written) -> None:
        draft = self.folder / _DRAFT
        draft.write_text(json.dumps(asdict(written)), encoding="utf-8")
        _sync(draft)
        draft.replace(self.folder / MANIFEST)
        _sync(self.folder)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # tokens that someone else made, to be read by all
        return os.open(path, os.O_RDONLY)


def _lock(handle: int, waiting: Callable[[], None]) -> None:
    try:
        import fcntl
    except ImportError as error:
        raise OSError("this system has no file locks of the kind needed") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(handle, fcntl.LOCK_EX)


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sum(path: Path, size: int) -> int | None:
    """CRC-32 of a file's first bytes; None where it has fewer."""
    total, left = 0, size
    with path.open("rb") as file:
        while left > 0:
            piece = file.read(min(left, _AT_ONCE))
            if not piece:
                return None
            total, left = zlib.crc32(piece, total), left - len(piece)
    return total
