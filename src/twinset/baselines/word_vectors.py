"""Word vectors from a text file, as GloVe and word2vec write them: a word and its numbers a line.

Words of a text are runs of letters, digits and underscores (`don't` is two); each is looked up as it stands,
then in lower case. The file is read line by line, and only what is needed is kept. A first line of two whole
numbers is word2vec's header. A word may have spaces in it: the numbers are counted from the end of the line.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import final

import numpy as np

from twinset.baselines.word_average import Split
from twinset.data.files import open_bytes
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError

WORD = re.compile(r"\w+")

_log = logging.getLogger(__name__)


@final
class WordVectors:
    """Words (their rows) and vectors (n, d)."""

    def __init__(self, rows: Mapping[str, int], vectors: np.ndarray, *, name: str) -> None:
        self._rows = rows
        self._vectors = vectors
        self.name = name

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def dimension(self) -> int:
        """D."""
        return self._vectors.shape[1]

    def split(self, texts: Texts) -> Split:
        """Each text's words, as they stand in the file."""
        words: list[Sequence[Hashable]] = []
        unknown = 0
        for text in texts:
            found = [self._known(word) for word in WORD.findall(text)]
            words.append([word for word in found if word is not None])
            unknown += found.count(None)
        return Split(words=words, unknown=unknown)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """(n, d)."""
        return self._vectors[[self._rows[word] for word in words]]

    def _known(self, word: str) -> str | None:
        if word in self._rows:
            return word
        lower = word.lower()
        return lower if lower in self._rows else None


def read_word_vectors(
    path: Path | str, *, texts: Iterable[str] | None = None, first: int | None = None
) -> WordVectors:
    """Read a file of word vectors (.txt or .vec, also as .gz).

    texts: keep only the words of these; other texts are then to be encoded with another table. first: read no
    more than so many words, the most frequent ones in files that are sorted. Of a word that comes twice the
    first counts. Lines that are no word with as many numbers as the first one are left out, and told.
    """
    if first is not None and first < 1:
        raise RequestError(f"first: {first} is not above 0")
    file = Path(path)
    needed = None if texts is None else _needed(Texts(texts))
    rows: dict[str, int] = {}
    kept: list[np.ndarray] = []
    faults: list[int] = []
    sound = 0
    for number, found in islice(_parsed(file, needed), first):
        if found is None:
            faults.append(number)
            continue
        sound += 1
        word, vector = found
        if vector is not None and word not in rows:
            rows[word] = len(rows)
            kept.append(vector)
    _tell(file, sound, faults)
    if not kept:
        raise DataError(f"{file}: has a vector for none of the texts' words; is it of their language?")
    return WordVectors(rows, np.stack(kept), name=f"words of {file.name}")


def _tell(file: Path, sound: int, faults: Sequence[int]) -> None:
    if len(faults) >= sound:
        where = f"{file}, line {faults[0]}" if faults else str(file)
        raise DataError(
            f"{where}: {len(faults):,} line(s) are no word with as many numbers as the first line says, "
            f"{sound:,} are; word vectors are text: a word and its numbers a line"
        )
    if faults:
        message = "%s: %d line(s) are no word with its numbers and were left out; the first is line %d"
        _log.warning(message, file, len(faults), faults[0])


Line = tuple[int, tuple[str, np.ndarray | None] | None]
"""Its number, and what it says: nothing where it is malformed, no numbers where the word is not needed."""


def _parsed(file: Path, needed: Collection[bytes] | None) -> Iterator[Line]:
    size = 0
    with open_bytes(file) as lines:
        # Bytes, because words of these files have Unicode's own line breaks in them.
        for number, line in enumerate(lines, start=1):
            fields = line.split() if size == 0 else []
            if number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
                size = int(fields[1])
                continue
            size = size or len(fields) - 1
            if line.strip():
                yield number, _word(line, size, needed)


def _word(line: bytes, size: int, needed: Collection[bytes] | None) -> tuple[str, np.ndarray | None] | None:
    if needed is not None and line.partition(b" ")[0] not in needed and line.count(b" ") >= size > 0:
        return "", None  # most lines of a large file: not taken apart
    parts = line.rstrip().rsplit(maxsplit=size) if size > 0 else []
    if len(parts) != size + 1:
        return None
    try:
        word, vector = parts[0].decode(), np.array(parts[1:], dtype=np.float32)
    except ValueError:
        return None
    if not np.isfinite(vector).all():
        return None
    return word, vector if needed is None or parts[0] in needed else None


def _needed(texts: Texts) -> set[bytes]:
    words = {word for text in texts for word in WORD.findall(text)}
    return {word.encode() for word in words | {word.lower() for word in words}}
