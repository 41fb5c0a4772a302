"""A line on stderr that says how many texts have gone by, where one is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized


def shown(texts: Iterable[str], *, progress: bool) -> Iterable[str]:
    """The same texts; on the way through, a progress bar (without an end where their number is not known)."""
    return _counted(texts) if progress else texts


def _counted(texts: Iterable[str]) -> Iterator[str]:
    from rich.console import Console
    from rich.progress import track

    total = len(texts) if isinstance(texts, Sized) else None
    yield from track(texts, description="encoding", total=total, console=Console(stderr=True), transient=True)
