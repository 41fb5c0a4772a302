"""A line on stderr that says how many texts have gone by, where one is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized


def shown(texts: Iterable[str], *, progress: bool, what: str = "encoding") -> Iterable[str]:
    """The same texts; on the way through, a progress bar (without an end where their number is not known)."""
    return _counted(texts, what) if progress else texts


def told(line: str, *, progress: bool) -> None:
    """What long work is about to do, for whoever watches it."""
    if progress:
        sys.stderr.write(line + "\n")


def _counted(texts: Iterable[str], what: str) -> Iterator[str]:
    from rich.console import Console
    from rich.progress import track

    total = len(texts) if isinstance(texts, Sized) else None
    console = Console(stderr=True)
    # On anything but a terminal a bar that goes away again would leave an empty line.
    hidden = not (console.is_terminal or console.is_jupyter)
    yield from track(texts, description=what, total=total, console=console, transient=True, disable=hidden)
