"""Scores as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from twinset.evaluation.correlations import PROTOCOLS, Metric

if TYPE_CHECKING:
    from twinset.evaluation.suite_scores import SuiteScores

AVERAGE = "Avg"


def score_table(scores: SuiteScores, *, metric: Metric = "spearman") -> str:
    """Tasks as columns; a row for each pooling and protocol."""
    averaged = [AVERAGE] if len(scores.tasks) > 1 else []
    rows = [["pooling", "protocol", *scores.tasks, *averaged]]
    for pooling in scores.poolings:
        for protocol in PROTOCOLS:
            values = [
                scores.task(task, pooling).correlations(metric).under(protocol) for task in scores.tasks
            ]
            if averaged:
                values.append(scores.average(pooling, metric=metric, protocol=protocol))
            shown = pooling if protocol == PROTOCOLS[0] else ""
            rows.append([shown, protocol, *map(percent, values)])
    return "\n".join([_title(scores, metric), *align(rows, left=2)])


def subset_table(scores: SuiteScores, *, metric: Metric = "spearman") -> str:
    """Subsets as rows, with their sizes; a column for each pooling."""
    rows = [["task", "subset", "pairs", *scores.poolings]]
    for task in scores.tasks:
        for place, (name, members) in enumerate(scores.task(task).items.groups.items()):
            values = [
                scores.task(task, pooling).correlations(metric).subsets[name] for pooling in scores.poolings
            ]
            rows.append(["" if place else task, name, f"{len(members):,}", *map(percent, values)])
    return "\n".join([_title(scores, metric), *align(rows, left=2)])


def percent(value: float) -> str:
    """Show a correlation times 100 with two decimals, as papers print them; a dash where there is none."""
    return f"{100 * value:.2f}" if np.isfinite(value) else "-"


def align(rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """Pad cells into columns: the first `left` columns to the left, the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _title(scores: SuiteScores, metric: Metric) -> str:
    return f"{scores.suite}: {scores.encoder}, {metric.capitalize()} x 100 of cosine similarity"
