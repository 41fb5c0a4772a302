from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation.items import Averaged
from twinset.evidence import Settings, System, compare_systems, verdict

N = 400
NOISE = np.random.default_rng(1).normal(scale=0.1, size=(12, N))
CLUSTERS = {"one": np.arange(N), "two": np.arange(N)}
QUICK = Settings(draws=300)


def side(name: str, up: float, runs: range, *, seeded: bool = True) -> System:
    made = tuple(
        {task: Averaged(metric="mrr", values=0.5 + up + NOISE[number]) for task in CLUSTERS}
        for number in runs
    )
    return System(name=name, runs=made, seeded=seeded)


HIGH, LOW, SAME = (
    side("high", 0.1, range(4)),
    side("low", 0.0, range(4, 8)),
    side("same", 0.001, range(8, 12)),
)


def test_better_and_worse() -> None:
    found = compare_systems(HIGH, LOW, CLUSTERS, settings=QUICK)
    told = verdict(found)
    assert told.word == "better"
    shown = f"{100 * found.overall.difference:+.2f}"
    assert told.sentence.startswith(f"better: high differs from low by {shown} points (95% interval +")
    assert verdict(compare_systems(LOW, HIGH, CLUSTERS, settings=QUICK)).word == "worse"
    assert told.settles is None


def test_cannot_tell_says_what_would() -> None:
    told = verdict(compare_systems(SAME, LOW, CLUSTERS, settings=QUICK))
    assert told.word == "cannot tell"
    assert told.settles is not None
    text = str(told)
    assert (
        f"a difference of {100 * told.detectable:.2f} points would have been seen four times in five" in text
    )
    assert "to see the" in text or "neither more seeds" in text


def test_no_worse_needs_a_margin_named_beforehand() -> None:
    found = compare_systems(SAME, LOW, CLUSTERS, settings=QUICK)
    assert verdict(found, margin=0.05).word == "no worse"
    assert verdict(found, margin=0.05).sentence.startswith("no worse than 5.00 points: same differs from low")
    assert verdict(found, margin=1e-6).word == "cannot tell"
    assert verdict(compare_systems(HIGH, LOW, CLUSTERS, settings=QUICK), margin=0.05).word == "better"
    with pytest.raises(RequestError, match="not above 0"):
        verdict(found, margin=0)


def test_too_little_to_say_is_said_and_nothing_else() -> None:
    two = replace(HIGH, runs=HIGH.runs[:2])
    told = verdict(compare_systems(two, LOW, CLUSTERS, settings=QUICK))
    assert told.word == "not enough"
    assert told.sentence.startswith("not enough seeds to say: high has 2, 3 are needed. Seen: high +")


def test_what_it_speaks_of() -> None:
    text = str(verdict(compare_systems(HIGH, LOW, CLUSTERS, settings=QUICK)))
    assert "4 seeds against 4 seeds: speaks of what these recipes give" in text
    assert "800 items in 400 independent groups" in text
    assert "higher on 2 of 2 tasks; beyond chance, corrected for their number: 2 higher, 0 lower" in text
    one, other = (side(name, up, range(1), seeded=False) for name, up in (("a", 0.1), ("b", 0.0)))
    single = str(verdict(compare_systems(one, other, CLUSTERS, settings=QUICK)))
    assert "one run each: speaks of these two encoders" in single
    assert "4 seeds against one fixed encoder" in str(
        verdict(compare_systems(HIGH, other, CLUSTERS, settings=QUICK))
    )


def test_warnings_are_passed_on() -> None:
    picked = replace(HIGH, warnings=("high: its checkpoint was picked on the data it is scored on",))
    told = verdict(compare_systems(picked, LOW, CLUSTERS, settings=QUICK))
    assert told.notes[-1] == "warning: high: its checkpoint was picked on the data it is scored on"
