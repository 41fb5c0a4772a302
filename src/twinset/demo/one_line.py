"""A text on one line of the terminal."""

from __future__ import annotations


def one_line(text: str, most: int = 100) -> str:
    r"""Blanks of any kind are one blank; what is longer than `most` ends in an ellipsis.

    >>> one_line("a  long\nstory", 7)
    'a long…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
