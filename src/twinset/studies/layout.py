"""Rows of cells as text, Markdown, LaTeX and CSV. The first row is the heading."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

Rows = Sequence[Sequence[str]]

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "<": r"$<$",
    ">": r"$>$",
    "−": r"$-$",
}


def text(rows: Rows, *, left: int = 1) -> str:
    """Columns side by side, the first `left` of them to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def markdown(rows: Rows, *, left: int = 1) -> str:
    """A table as GitHub shows it."""
    escaped = [[cell.replace("|", r"\|").replace("\n", " ") for cell in row] for row in rows]
    rule = ["---" if place < left else "---:" for place in range(len(rows[0]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [escaped[0], rule, *escaped[1:]])


def latex(rows: Rows, caption: str, *, left: int = 1) -> str:
    """A table for the package booktabs."""
    head, *body = [" & ".join(map(latex_text, row)) + r" \\" for row in rows]
    columns = "l" * left + "r" * (len(rows[0]) - left)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{latex_text(caption)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def latex_text(words: str) -> str:
    """Words as LaTeX prints them."""
    minus = re.sub(r"(?<![\w.])-(?=\d)", "−", words)
    return "".join(_LATEX.get(character, character) for character in minus)


def comma_separated(rows: Rows) -> str:
    """For a spreadsheet."""
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows(rows)
    return sink.getvalue()
