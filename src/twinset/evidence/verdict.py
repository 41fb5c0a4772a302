"""A comparison in words that a product owner reads.

better, worse: the interval leaves zero on one side. no worse: it stays above minus a margin named beforehand.
cannot tell: else. not enough: too few items or seeds for any of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from twinset.errors import RequestError
from twinset.evidence.comparison import Comparison
from twinset.evidence.interval import Interval
from twinset.evidence.power import Settles, settles, smallest_difference

Word = Literal["better", "worse", "no worse", "cannot tell", "not enough"]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """word: the outcome. sentence: the outcome with its interval. notes: what it rests on, one line each.

    margin: how much worse still counts as no worse, from 0 to 1. detectable: the difference that this
    comparison would have shown four times in five. settles: what would show the difference that was seen.
    """

    word: Word
    sentence: str
    notes: tuple[str, ...]
    margin: float | None
    detectable: float
    settles: Settles | None

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"  {note}" for note in self.notes)])


def verdict(found: Comparison, *, margin: float | None = None) -> Verdict:
    """Say what a comparison shows. margin: on the metrics' own scale (0.01 is one point of a hundred)."""
    if margin is not None and not margin > 0:
        raise RequestError(f"margin: {margin} is not above 0")
    word = _word(found, margin)
    over = found.overall
    open_question = word in {"cannot tell", "no worse"}
    needed = settles(over, found.runs, found.effective, over.difference) if open_question else None
    detectable = smallest_difference(over.error, over.freedom, level=over.level)
    notes = [_what(found), _speaks_of(found)]
    if len(found.tasks) > 1:
        notes.append(_tasks(found))
    if open_question:
        notes += _open(detectable, needed)
    notes += [f"warning: {warning}" for warning in found.warnings]
    return Verdict(
        word=word,
        sentence=_sentence(word, found, margin),
        notes=tuple(notes),
        margin=margin,
        detectable=detectable,
        settles=needed,
    )


def _word(found: Comparison, margin: float | None) -> Word:
    if found.lacking:
        return "not enough"
    if found.overall.excludes_zero:
        return "better" if found.overall.difference > 0 else "worse"
    if margin is not None and found.overall.low > -margin:
        return "no worse"
    return "cannot tell"


def _sentence(word: Word, found: Comparison, margin: float | None) -> str:
    first, second = found.names
    if word == "not enough":
        return f"{'; '.join(found.lacking)}. Seen: {first} {signed(found.overall.difference)} over {second}."
    by = f"by {signed(found.overall.difference)} points ({span(found.overall)})"
    if word == "no worse":
        return f"no worse than {percent(margin or 0)} points: {first} differs from {second} {by}"
    if word == "cannot tell":
        return f"cannot tell: {first} differs from {second} {by}"
    return f"{word}: {first} differs from {second} {by}"


def _what(found: Comparison) -> str:
    metrics = list(dict.fromkeys(task.metric for task in found.tasks))
    items = sum(task.items for task in found.tasks)
    where = found.tasks[0].task if len(found.tasks) == 1 else f"average of {len(found.tasks)} tasks"
    return (
        f"{' and '.join(metrics)} x 100, {where}: {percent(_mean(found, 0))} against "
        f"{percent(_mean(found, 1))}; {items:,} items in {found.components:,} independent groups"
    )


def _mean(found: Comparison, side: int) -> float:
    scores = found.run_scores[side]
    return sum(scores) / len(scores)


def _speaks_of(found: Comparison) -> str:
    one, two = found.runs
    if found.question == "recipes":
        return (
            f"{_runs(one)} against {_runs(two)}: speaks of what these recipes give, seeds and items varying"
        )
    return "one run each: speaks of these two encoders, not of what another seed would give"


def _runs(number: int) -> str:
    return f"{number} seeds" if number > 1 else "one fixed encoder"


def _tasks(found: Comparison) -> str:
    level = 1 - found.settings.level
    up = sum(task.corrected < level and task.interval.difference > 0 for task in found.tasks)
    down = sum(task.corrected < level and task.interval.difference < 0 for task in found.tasks)
    return (
        f"higher on {found.won} of {len(found.tasks)} tasks; beyond chance, corrected for their number: "
        f"{up} higher, {down} lower"
    )


def _open(detectable: float, needed: Settles | None) -> list[str]:
    lines = [f"a difference of {percent(detectable)} points would have been seen four times in five"]
    if needed is None or needed.difference == 0:
        return lines
    ways = [
        *([] if needed.seeds is None else [f"{needed.seeds:,} seeds a side"]),
        *([] if needed.items is None else [f"{needed.items:,.0f} times the items"]),
    ]
    if ways:
        lines.append(f"to see the {percent(needed.difference)} points that were: {' or '.join(ways)}")
    else:
        lines.append("neither more seeds alone nor more items alone would show a difference this small")
    return lines


def percent(value: float) -> str:
    """Times 100, two decimals."""
    return f"{100 * value:.2f}"


def signed(value: float) -> str:
    """Times 100, two decimals, with its sign."""
    return f"{100 * value:+.2f}"


def span(found: Interval) -> str:
    """The interval and p in words."""
    p = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
    return f"{100 * found.level:g}% interval {signed(found.low)} to {signed(found.high)}, {p}"
