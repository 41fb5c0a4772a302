"""One call: is this better than that, on this data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from twinset.errors import RequestError
from twinset.evaluation import Encodes, Suite, SuiteScores, evaluate
from twinset.evidence.comparison import Comparison, Settings, compare_systems
from twinset.evidence.found import find
from twinset.evidence.scored import Scored, systems_of
from twinset.evidence.shown import as_json, task_table
from twinset.evidence.verdict import Verdict, verdict
from twinset.training import Run


@runtime_checkable
class Judges(Protocol):
    """One of `twinset.tasks`: something an encoder is scored on, item by item."""

    def evaluate(self, encoder: Encodes, /) -> SuiteScores: ...


Side = Encodes | Run | SuiteScores | Scored | str | Path | Sequence[Encodes | Run | SuiteScores]
"""An encoder or a baseline; a run; scores; a name or a path (`find` says what may stand there); or several
of one recipe with different seeds."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The comparison, and what it says."""

    comparison: Comparison
    verdict: Verdict

    def __str__(self) -> str:
        return str(self.verdict)

    def table(self) -> str:
        """Task by task: both scores, the difference, its interval, p corrected for the number of tasks."""
        return task_table(self.comparison)

    def to_json(self) -> dict[str, object]:
        """The same for machines: numbers from 0 to 1, as the metrics are."""
        return as_json(self.comparison, self.verdict)


def compare(
    first: Side,
    second: Side,
    *,
    on: Suite | Judges | None = None,
    metric: str | None = None,
    margin: float | None = None,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Answer:
    """Say whether `first` is better than `second`.

    on: what both are scored on; not needed where both are scores already. metric: by name, where it is not
    to be each task's headline. margin: how much worse still counts as no worse (0.01 is one point of a
    hundred). With three runs a side and more it speaks of recipes, else of the two encoders.
    """
    sides = [side_of(one, on, default) for one, default in ((first, "first"), (second, "second"))]
    one, two, clusters = systems_of(*_told_apart(sides[0], sides[1]), metric=metric)
    found = compare_systems(one, two, clusters, settings=settings, progress=progress)
    return Answer(comparison=found, verdict=verdict(found, margin=margin))


def side_of(given: Side, on: Suite | Judges | None, default: str = "encoder") -> Scored:
    """Score whatever was given. default: its name where it has none."""
    if isinstance(given, Scored):
        return given
    if isinstance(given, (str, Path)):
        return find(given, None if on is None else lambda encoder: _judged(encoder, on))
    if isinstance(given, (SuiteScores, Run, Encodes)):
        return _single(given, on, default)
    many = [_single(one, on, default) for one in given]
    if not many:
        raise RequestError(f"{default}: the list is empty; name at least one run")
    return Scored(
        name=many[0].name,
        runs=tuple(run for one in many for run in one.runs),
        seeded=len(many) > 1 or many[0].seeded,
        chosen_on=frozenset[str]().union(*(one.chosen_on for one in many)),
    )


def _single(given: Encodes | Run | SuiteScores, on: Suite | Judges | None, default: str) -> Scored:
    if isinstance(given, SuiteScores):
        return Scored(name=given.encoder or default, runs=(given,))
    if isinstance(given, Run):
        name = default if given.folder is None else given.folder.name
        return Scored(name=name, runs=(_judged(given.encoder, on),), seeded=True)
    return Scored(name=str(getattr(given, "name", default)), runs=(_judged(given, on),))


def _judged(encoder: Encodes, on: Suite | Judges | None) -> SuiteScores:
    if on is None:
        raise RequestError("compare: say what to compare on: on=ts.tasks.Sts(pairs), or a suite")
    return evaluate(encoder, on) if isinstance(on, Suite) else on.evaluate(encoder)


def _told_apart(first: Scored, second: Scored) -> tuple[Scored, Scored]:
    """Two sides of one name are called by their place."""
    if first.name != second.name:
        return first, second
    return replace(first, name=f"{first.name} (first)"), replace(second, name=f"{second.name} (second)")
