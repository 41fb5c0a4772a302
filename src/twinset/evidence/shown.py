"""A comparison as a table and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from twinset.evaluation.table import align
from twinset.evidence.comparison import Comparison
from twinset.evidence.interval import Interval
from twinset.evidence.verdict import Verdict, percent, signed


def task_table(found: Comparison) -> str:
    """A row for each task, and one for their average."""
    first, second = found.names
    level = f"{100 * found.settings.level:g}%"
    rows = [["task", "metric", "items", first, second, "difference", level, "p corrected"]]
    for task in found.tasks:
        one, two = task.scores
        rows.append(
            [
                task.task,
                task.metric,
                f"{task.items:,}",
                percent(one),
                percent(two),
                *_difference(task.interval),
                f"{task.corrected:.3f}",
            ]
        )
    if len(found.tasks) > 1:
        means = [percent(sum(scores) / len(scores)) for scores in found.run_scores]
        items = f"{sum(task.items for task in found.tasks):,}"
        rows.append(["average", "", items, *means, *_difference(found.overall), f"{found.overall.p:.3f}"])
    return "\n".join(align(rows, left=2))


def _difference(found: Interval) -> list[str]:
    return [signed(found.difference), f"{signed(found.low)} to {signed(found.high)}"]


def as_json(found: Comparison, told: Verdict) -> dict[str, Any]:
    """Numbers on the metrics' own scale."""
    return {
        "kind": "comparison",
        "first": {"name": found.names[0], "runs": list(found.run_scores[0])},
        "second": {"name": found.names[1], "runs": list(found.run_scores[1])},
        "verdict": told.word,
        "sentence": told.sentence,
        "notes": list(told.notes),
        "speaks_of": found.question,
        "overall": asdict(found.overall),
        "detectable": told.detectable,
        "settles": None if told.settles is None else asdict(told.settles),
        "margin": told.margin,
        "tasks": [asdict(task) for task in found.tasks],
        "components": found.components,
        "effective_components": found.effective,
        "resamples": found.settings.draws,
        "seed": found.settings.seed,
        "lacking": list(found.lacking),
        "warnings": list(found.warnings),
    }
