from __future__ import annotations

import csv
import io

from twinset.studies.layout import comma_separated, latex, latex_text, markdown, text

ROWS = [["variant", "score"], ["a_b & c", "12.50 ± 0.10"], ["x|y", "< 3"]]


def test_text() -> None:
    assert text(ROWS) == "variant         score\na_b & c  12.50 ± 0.10\nx|y               < 3"


def test_markdown() -> None:
    lines = markdown(ROWS).splitlines()
    assert lines[:2] == ["| variant | score |", "| --- | ---: |"]
    assert lines[3] == r"| x\|y | < 3 |"


def test_latex() -> None:
    found = latex(ROWS, "50% of #1")
    assert r"\begin{tabular}{lr}" in found
    assert r"a\_b \& c & 12.50 $\pm$ 0.10 \\" in found
    assert r"\caption{50\% of \#1}" in found
    assert latex_text("-1.00 to +2, e-5 a-b 1e-05") == "$-$1.00 to +2, e-5 a-b 1e-05"
    assert latex_text("\\{x}^~$") == r"\textbackslash{}\{x\}\textasciicircum{}\textasciitilde{}\$"


def test_csv() -> None:
    rows = [["a", "b"], ['with "quotes", and\nlines', "1"]]
    assert list(csv.reader(io.StringIO(comma_separated(rows)))) == rows
