"""Each variant against the baseline, and what may be said when there are several of them.

The word of a comparison is the evidence room's; where there are several, "better" and "worse" must also hold
after Holm's correction over the study.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from twinset.evidence import Comparison, System, best_of, compare_systems, holm, verdict
from twinset.evidence import Settings as How
from twinset.studies.result import Against, Chosen, RunScores

Told = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Said:
    """How comparisons are made: as in a study file."""

    draws: int
    margin: float | None
    workers: int = 1
    level: float = 0.95


def against(
    systems: Sequence[System], baseline: str, clusters: Mapping[str, np.ndarray], said: Said, told: Told
) -> tuple[Against, ...]:
    """Every other system against the baseline; none where the baseline has no run."""
    base = next((system for system in systems if system.name == baseline), None)
    if base is None:
        return ()
    how = How(draws=said.draws, level=said.level, workers=said.workers)
    found: list[Comparison] = []
    for system in systems:
        if system.name != baseline:
            told(system.name)
            found.append(compare_systems(system, base, clusters, settings=how))
    return corrected([_own(each, said.margin) for each in found], said.level)


def corrected(own: Sequence[Against], level: float) -> tuple[Against, ...]:
    """The words after Holm's correction; a comparison that says nothing takes no part in it."""
    speaking = [place for place, each in enumerate(own) if each.word != "not enough"]
    values = holm([own[place].p for place in speaking]) if speaking else []
    raised = dict(zip(speaking, values, strict=True))
    return tuple(
        _after(each, raised[place], len(speaking), level) if place in raised else each
        for place, each in enumerate(own)
    )


def _own(found: Comparison, margin: float | None) -> Against:
    said, over = verdict(found, margin=margin), found.overall
    word, sentence = said.word, said.sentence
    if found.question == "encoders" and word != "not enough":
        # Of two encoders much can be said; a study asks about what they were made by.
        word = "not enough"
        sentence = f"not enough seeds to say: one run each. Of these two encoders alone: {sentence}"
    return Against(
        variant=found.names[0],
        word=word,
        sentence=sentence,
        notes=tuple(dict.fromkeys(said.notes)),  # what both sides were warned of, once
        difference=over.difference,
        low=over.low,
        high=over.high,
        p=over.p,
        corrected=None,
    )


def _after(each: Against, p: float, count: int, level: float) -> Against:
    if count == 1:
        return replace(each, corrected=p)
    words = (
        f"p = {p:.3f} corrected for {count} comparisons"
        if p >= 0.001
        else f"p < 0.001 corrected for {count} comparisons"
    )
    if each.word in {"better", "worse"} and p >= 1 - level:
        seen = each.sentence.partition(": ")[2]
        sentence = f"cannot tell: beyond chance alone, but not after correction ({words}): {seen}"
        return replace(each, word="cannot tell", corrected=p, sentence=sentence)
    return replace(each, corrected=p, sentence=f"{each.sentence}; {words}")


def chosen(runs: Sequence[RunScores]) -> tuple[Chosen, ...]:
    """What choosing the best of k on dev gives, for every k; nothing without dev."""
    seen = [(run.dev, run.average) for run in runs if run.dev is not None]
    if not seen or len(seen) < len(runs):
        return ()
    dev, test = zip(*seen, strict=True)
    found = [best_of(dev, test, k) for k in range(1, len(seen) + 1)]
    return tuple(Chosen(k=each.k, dev=each.dev, test=each.test) for each in found)
