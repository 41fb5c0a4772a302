"""Scores as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import PROTOCOLS, Metric
from twinset.evaluation.sts import StsScores
from twinset.evaluation.task import TaskKind, TaskScores

if TYPE_CHECKING:
    from twinset.evaluation.suite_scores import SuiteScores

AVERAGE = "Avg"

_ITEMS: dict[TaskKind, str] = {"sts": "pairs", "pairs": "pairs", "ranking": "queries", "transfer": "texts"}


def score_table(scores: SuiteScores, *, metric: Metric = "spearman") -> str:
    """Scored pairs: tasks as columns, a row for each pooling and protocol. Other kinds: a row for each task
    and pooling, metrics as columns. Then what a reader must know."""
    kinds: list[TaskKind] = list(dict.fromkeys(scores.task(task).kind for task in scores.tasks))
    parts = [_sts_table(scores, metric) if kind == "sts" else _kind_table(scores, kind) for kind in kinds]
    if len(kinds) > 1:
        parts.append(f"{AVERAGE} of the {len(scores.tasks)} headlines: {percent(scores.headline)}")
    return "\n".join([*parts, *(f"note: {note}" for note in scores.notes)])


def subset_table(scores: SuiteScores, *, metric: Metric = "spearman") -> str:
    """Subsets as rows, with their sizes; a column for each pooling."""
    rows = [["task", "subset", "pairs", *scores.poolings]]
    for task in _of_kind(scores, "sts"):
        found = [_sts(scores.task(task, pooling)) for pooling in scores.poolings]
        for place, (name, members) in enumerate(found[0].pairs.groups.items()):
            values = [each.correlations(metric).subsets[name] for each in found]
            rows.append(["" if place else task, name, f"{len(members):,}", *map(percent, values)])
    if len(rows) == 1:
        raise RequestError(f"{scores.suite}: no task of scored pairs, and only those are shown by subset")
    return "\n".join([_title(scores, metric), *align(rows, left=2)])


def percent(value: float) -> str:
    """Show a score times 100 with two decimals, as papers print them; a dash where there is none."""
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


def _sts_table(scores: SuiteScores, metric: Metric) -> str:
    tasks = _of_kind(scores, "sts")
    averaged = [AVERAGE] if len(tasks) > 1 else []
    rows = [["pooling", "protocol", *tasks, *averaged]]
    for pooling in scores.poolings:
        for protocol in PROTOCOLS:
            found = [_sts(scores.task(task, pooling)).correlations(metric).under(protocol) for task in tasks]
            values = [*found, float(np.mean(found))] if averaged else found
            shown = pooling if protocol == PROTOCOLS[0] else ""
            rows.append([shown, protocol, *map(percent, values)])
    return "\n".join([_title(scores, metric), *align(rows, left=2)])


def _kind_table(scores: SuiteScores, kind: TaskKind) -> str:
    tasks = _of_kind(scores, kind)
    names = list(dict.fromkeys(name for task in tasks for name in scores.task(task).metrics))
    rows = [["pooling", "task", _ITEMS.get(kind, "items"), *names]]
    for pooling in scores.poolings:
        for place, task in enumerate(tasks):
            found = scores.task(task, pooling)
            values = [found.metrics.get(name, float("nan")) for name in names]
            shown = "" if place else pooling
            rows.append([shown, task, f"{len(found):,}", *map(percent, values)])
        if len(tasks) > 1:
            rows.append(["", AVERAGE, "", *_averages(scores, pooling, tasks, names)])
    headlines = ", ".join(dict.fromkeys(scores.task(task).metric for task in tasks))
    title = f"{scores.suite}: {scores.encoder}, x 100; the headline is {headlines}"
    return "\n".join([title, *align(rows, left=2)])


def _averages(scores: SuiteScores, pooling: str, tasks: Sequence[str], names: Sequence[str]) -> list[str]:
    """Means over the tasks; a dash where one has no value."""
    found = [scores.task(task, pooling).metrics for task in tasks]
    return [percent(float(np.mean([each.get(name, float("nan")) for each in found]))) for name in names]


def _of_kind(scores: SuiteScores, kind: TaskKind) -> list[str]:
    return [task for task in scores.tasks if scores.task(task).kind == kind]


def _sts(scores: TaskScores) -> StsScores:
    if not isinstance(scores, StsScores):
        raise RequestError(f"{scores.task}: has no correlations, being of kind {scores.kind}")
    return scores


def _title(scores: SuiteScores, metric: Metric) -> str:
    return f"{scores.suite}: {scores.encoder}, {metric.capitalize()} x 100 of cosine similarity"
