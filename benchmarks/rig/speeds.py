"""Times of systems that took turns, as speeds and as ratios to one of them.

    speed_r = texts / seconds_r        ratio_r = seconds_r(reference) / seconds_r        r: a round

Medians with the lowest and highest round. A ratio is taken within a round, so drift cancels.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any


def spread(values: Sequence[float], digits: int = 2) -> dict[str, float]:
    """Median, least and most."""
    found = {"median": statistics.median(values), "least": min(values), "most": max(values)}
    return {name: round(value, digits) for name, value in found.items()}


def compared(
    seconds: Mapping[str, Sequence[float]], texts: int, reference: str
) -> dict[str, dict[str, dict[str, float]]]:
    """Speed and ratio of every system; the reference's own ratio is 1."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, times in seconds.items():
        ratios = [theirs / ours for theirs, ours in zip(seconds[reference], times, strict=True)]
        found[name] = {
            "sentences_per_second": spread([texts / time for time in times], 1),
            "ratio": spread(ratios),
        }
    return found


def rows(
    answers: Mapping[str, Sequence[Mapping[str, Any]]], texts: int, reference: str
) -> list[dict[str, Any]]:
    """One row a system: its times, speed, ratio and peak memory (MiB)."""
    seconds = {name: [answer["seconds"] for answer in found] for name, found in answers.items()}
    speeds = compared(seconds, texts, reference)
    return [
        {
            "system": name,
            "seconds": [round(each, 3) for each in seconds[name]],
            **speeds[name],
            "memory_peak": max(answer["memory_peak"] for answer in found),
        }
        for name, found in answers.items()
    ]


def line(row: Mapping[str, Any]) -> str:
    """A row, for people who watch."""
    speed, ratio = row["sentences_per_second"], row["ratio"]
    return (
        f"  {row['system']:<44} {speed['median']:>8.1f} /s ({speed['least']:.1f} to {speed['most']:.1f})"
        f"  x{ratio['median']:.2f}  {row['memory_peak']:.0f} MiB"
    )
