"""Tokenise once: the tokens of large columns are kept in a folder, for this run's memory and the next's time.

Texts are tokenised a chunk at a time, each chunk appended to files; a tokenisation that was killed goes on
after its last whole chunk and ends with the same bytes. The files are then mapped, not read: of ten million
texts' tokens, those of a batch are in memory.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from twinset.data import Texts
from twinset.encoder.column import Column
from twinset.encoder.progress import shown, told
from twinset.encoder.token_files import TokenFiles, Written
from twinset.encoder.tokens import TokenStore

CHUNK = 50_000
"""Texts between two manifests: what a kill costs at most, some seconds."""

_REMEDY = (
    "They are made in memory, and again by the next run. TWINSET_CACHE names another folder for all runs, "
    "recording.token_cache one for a run ('off': none)."
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class TokenCache:
    """Tokens of columns, each in a folder of its own below `folder`. progress: say on stderr what is done."""

    folder: Path
    progress: bool = False

    def tokens(self, column: Column) -> TokenStore:
        """What `column.tokenized()` gives, from the folder where it is kept there, else made and kept.

        A folder that cannot be written to, or has no more room, costs the next run's time and not this run:
        the tokens are then made in memory, with a warning, and what was kept of them goes.
        """
        if len(column.texts) == 0:
            return column.tokenized()
        files = TokenFiles(self.folder / column.key())
        try:
            with files.alone(waiting=lambda: self._tell("another process tokenises these texts; waiting")):
                return files.store(self._kept(column, files), column.pad_id)
        except OSError as error:
            _log.warning("%s: tokens cannot be kept here: %s. %s", self.folder, _why(error), _REMEDY)
        return column.tokenized(self._shown(column.texts))

    def _kept(self, column: Column, files: TokenFiles) -> Written:
        """The column's tokens in the files, all of them."""
        try:
            found = files.written()
            if found is None or found.texts < len(column.texts):
                return self._made(column, files, found)
        except OSError:
            files.clear()  # the room is wanted for other things
            raise
        self._tell(f"{found.texts:,} texts were tokenised before: {files.folder}")
        return found

    def _made(self, column: Column, files: TokenFiles, found: Written | None) -> Written:
        """Go on where someone stopped."""
        written, count = found or Written(), len(column.texts)
        self._tell(_beginning(found, count, files.folder))
        files.begin(written)
        left = iter(self._shown(column.texts[written.texts :]))
        while written.texts < count:
            part = column.tokenized(islice(left, CHUNK), first=written.texts)
            written = files.append(written, part)
        return written

    def _shown(self, texts: Texts) -> Iterable[str]:
        return shown(texts, progress=self.progress, what="tokenising")

    def _tell(self, line: str) -> None:
        told(line, progress=self.progress)


def _beginning(found: Written | None, count: int, folder: Path) -> str:
    if found is None:
        return f"{folder}: the tokens kept there are damaged; {count:,} texts are tokenised anew"
    if found.texts:
        return f"tokenising goes on at text {found.texts + 1:,} of {count:,}: {folder}"
    return f"tokenising {count:,} texts, kept for later runs: {folder}"


def _why(error: OSError) -> str:
    return "the disk is full" if error.errno == errno.ENOSPC else (error.strerror or str(error))
