"""The folder that the demo leaves behind, and what is in it."""

from __future__ import annotations

from pathlib import Path

from twinset.errors import RequestError

RUN = "run"
PAIRS = "pairs.jsonl"
CORPUS = "corpus.txt"


def make(folder: Path) -> None:
    """Make the folder; one that holds anything is refused."""
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise RequestError(f"{folder}: is there already and not empty; name a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"{folder}: cannot be made: {error.strerror}") from error
