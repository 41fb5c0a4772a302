from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from twinset.evaluation.items import Averaged
from twinset.evidence import System
from twinset.studies.compare import Said, against, chosen, corrected
from twinset.studies.result import Against, RunScores

SAID = Said(draws=200, margin=None)


def _found(word: str, p: float, variant: str = "x") -> Against:
    sentence = f"{word}: {variant} differs from base by +1.00 points"
    return Against(
        variant=variant,
        word=word,
        sentence=sentence,
        notes=(),
        difference=0.01,
        low=0.001,
        high=0.02,
        p=p,
        corrected=None,
    )


def test_the_word_follows_the_corrected_p() -> None:
    own = [_found("better", 0.001, "a"), _found("worse", 0.03, "b"), _found("cannot tell", 0.4, "c")]
    first, second, third = corrected(own, 0.95)
    assert (first.word, first.corrected) == ("better", pytest.approx(0.003))
    assert first.sentence.endswith("p = 0.003 corrected for 3 comparisons")
    assert (second.word, second.corrected) == ("cannot tell", pytest.approx(0.06))
    assert second.sentence == (
        "cannot tell: beyond chance alone, but not after correction (p = 0.060 corrected for 3 comparisons): "
        "b differs from base by +1.00 points"
    )
    assert third.word == "cannot tell"


def test_what_says_nothing_takes_no_part() -> None:
    found = corrected([_found("better", 0.03), _found("not enough", 0.0001)], 0.95)
    assert [(each.word, each.corrected) for each in found] == [("better", 0.03), ("not enough", None)]


def _system(name: str, level: float, seed: int) -> System:
    draw = np.random.default_rng(seed)
    runs = [{"task": Averaged(metric="hits", values=level + 0.1 * draw.random(80))} for _ in range(3)]
    return System(
        name=name, runs=tuple(runs), seeded=True, warnings=("picked on test",) if name == "good" else ()
    )


def test_every_other_system_against_the_baseline() -> None:
    told: list[str] = []
    systems = [_system("good", 0.5, 1), _system("base", 0.2, 2), _system("bad", 0.1, 3)]
    clusters = {"task": np.arange(80)}
    good, bad = against(systems, "base", clusters, SAID, told.append)
    assert (good.variant, good.word, bad.variant, bad.word) == ("good", "better", "bad", "worse")
    assert good.low < good.difference < good.high
    assert good.difference == pytest.approx(0.3, abs=0.05)
    assert "warning: picked on test" in good.notes
    assert told == ["good", "bad"]
    assert against(systems, "nobody", clusters, SAID, told.append) == ()


def test_one_seed_says_nothing_of_a_variant() -> None:
    systems = [
        replace(_system(name, level, 1), runs=_system(name, level, 1).runs[:1])
        for name, level in (("base", 0.2), ("good", 0.9))
    ]
    (found,) = against(systems, "base", {"task": np.arange(80)}, SAID, lambda _: None)
    assert (found.word, found.corrected) == ("not enough", None)
    assert found.sentence.startswith(
        "not enough seeds to say: one run each. Of these two encoders alone: better"
    )


def test_choosing_on_dev() -> None:
    runs = [
        RunScores(seed=seed, dev=dev, average=test, tasks={})
        for seed, (dev, test) in enumerate([(0.70, 0.60), (0.72, 0.59), (0.71, 0.64)])
    ]
    found = chosen(runs)
    assert [each.k for each in found] == [1, 2, 3]
    assert found[0].test == pytest.approx(0.61)
    assert (found[2].dev, found[2].test) == (pytest.approx(0.72), pytest.approx(0.59))
    assert chosen([*runs, RunScores(seed=9, dev=None, average=0.5, tasks={})]) == ()
