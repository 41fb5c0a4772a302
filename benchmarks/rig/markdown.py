"""Tables as Markdown has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def ranged(found: Mapping[str, float], digits: int | None = None) -> str:
    """A median with its lowest and highest; digits: as many as its size wants, unless given."""
    digits = int(found["median"] < 100) if digits is None else digits
    median, least, most = (f"{found[name]:,.{digits}f}" for name in ("median", "least", "most"))
    return f"{median} ({least} to {most})"
