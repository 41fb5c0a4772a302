from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation.items import Averaged, Correlated
from twinset.evaluation.metrics import spearman
from twinset.evidence import Comparison, Settings, System, compare_systems

N = 200
RNG = np.random.default_rng(0)
GOLD = np.round(RNG.uniform(0, 5, N))
BASE = GOLD + RNG.normal(size=N)
QUICK = Settings(draws=400)
CLUSTERS = {"sts": np.arange(N), "ranking": np.arange(N, N + 80)}


def run(seed: int, up: float = 0.0) -> dict[str, Correlated | Averaged]:
    rng = np.random.default_rng(seed)
    predicted = BASE + up * GOLD + 0.3 * rng.normal(size=N)
    values = np.clip(0.5 + up + 0.2 * rng.normal(size=80), 0, 1)
    return {
        "sts": Correlated(metric="spearman", gold=GOLD, predicted=predicted),
        "ranking": Averaged(metric="mrr", values=values),
    }


def recipe(name: str, seeds: range, up: float = 0.0) -> System:
    return System(name=name, runs=tuple(run(seed, up) for seed in seeds), seeded=True)


GOOD, PLAIN = recipe("good", range(4), up=0.3), recipe("plain", range(10, 13))


def test_scores_are_the_metrics_own() -> None:
    found = compare_systems(GOOD, PLAIN, CLUSTERS, settings=QUICK)
    by_hand = [spearman(GOLD, one["sts"].predicted) for one in GOOD.runs]
    assert found.tasks[0].scores[0] == pytest.approx(np.mean(by_hand))
    assert found.tasks[1].scores[1] == pytest.approx(np.mean([one["ranking"].values for one in PLAIN.runs]))
    averaged = [
        np.mean([spearman(GOLD, one["sts"].predicted), one["ranking"].values.mean()]) for one in GOOD.runs
    ]
    assert found.run_scores[0] == pytest.approx(averaged)
    assert found.overall.difference == pytest.approx(np.mean(averaged) - np.mean(found.run_scores[1]))
    assert [task.metric for task in found.tasks] == ["spearman", "mrr"]
    assert (found.won, found.components, found.runs) == (2, N + 80, (4, 3))


def test_swapped_sides_give_the_swapped_interval() -> None:
    one = compare_systems(GOOD, PLAIN, CLUSTERS, settings=QUICK).overall
    two = compare_systems(PLAIN, GOOD, CLUSTERS, settings=QUICK).overall
    assert (two.low, two.high) == pytest.approx((-one.high, -one.low))
    assert two.p == pytest.approx(one.p)


def test_a_difference_is_paired() -> None:
    """What is hard for both systems falls out: the interval is far shorter than that of either score."""
    one, two = System(name="a", runs=(run(1),)), System(name="b", runs=(run(2),))
    clusters = {"sts": CLUSTERS["sts"]}
    one, two = (replace(side, runs=({"sts": side.runs[0]["sts"]},)) for side in (one, two))
    constant = System(
        name="c",
        runs=(
            {
                "sts": Correlated(
                    metric="spearman", gold=GOLD, predicted=np.random.default_rng(5).normal(size=N)
                )
            },
        ),
    )
    paired = compare_systems(one, two, clusters, settings=QUICK).overall
    apart = compare_systems(one, constant, clusters, settings=QUICK).overall
    assert paired.error < apart.error / 3


def test_the_same_numbers_whatever_the_workers() -> None:
    found = [
        compare_systems(GOOD, PLAIN, CLUSTERS, settings=replace(QUICK, workers=workers))
        for workers in (1, 2, 3)
    ]
    assert found[0].overall == found[1].overall == found[2].overall
    other = compare_systems(GOOD, PLAIN, CLUSTERS, settings=replace(QUICK, seed=1))
    assert other.overall != found[0].overall


def test_items_that_hang_together_count_for_less() -> None:
    """Forty groups of five equal items say as much as forty items."""
    places = np.repeat(np.arange(40), 5)
    values = [np.random.default_rng(seed).normal(size=40)[places] for seed in (1, 2)]
    one, two = (
        System(name=name, runs=({"t": Averaged(metric="mrr", values=value)},))
        for name, value in zip("ab", values, strict=True)
    )
    alone = compare_systems(one, two, {"t": np.arange(200)}, settings=QUICK)
    grouped = compare_systems(one, two, {"t": places}, settings=QUICK)
    assert grouped.overall.error == pytest.approx(alone.overall.error * np.sqrt(5), rel=0.15)
    assert (grouped.components, alone.components) == (40, 200)
    assert grouped.lacking
    assert "not enough items to say: 40 independent groups" in grouped.lacking[0]
    assert not alone.lacking


def question_of(first: System, second: System) -> Comparison:
    return compare_systems(first, second, CLUSTERS, settings=QUICK)


def test_one_run_a_side_speaks_of_encoders_and_several_of_recipes() -> None:
    single = replace(PLAIN, runs=PLAIN.runs[:1])
    assert question_of(replace(GOOD, runs=GOOD.runs[:1]), single).question == "encoders"
    assert question_of(GOOD, PLAIN).question == "recipes"


def test_recipes_need_three_seeds_and_a_fixed_encoder_needs_none() -> None:
    two = replace(PLAIN, runs=PLAIN.runs[:2])
    assert question_of(GOOD, two).lacking == ("not enough seeds to say: plain has 2, 3 are needed",)
    assert question_of(GOOD, replace(PLAIN, runs=PLAIN.runs[:1])).lacking
    fixed = System(name="raw", runs=(run(77),))
    assert question_of(GOOD, fixed).lacking == ()
    assert question_of(GOOD, fixed).question == "recipes"


def test_tasks_are_corrected_for_their_number() -> None:
    found = question_of(PLAIN, recipe("again", range(20, 23)))
    smaller, larger = sorted(task.interval.p for task in found.tasks)
    assert smaller > 0.001
    corrected = sorted(task.corrected for task in found.tasks)
    assert corrected == pytest.approx([min(1, 2 * smaller), max(min(1, 2 * smaller), larger)])


def test_a_draw_without_a_value_does_not_spoil_the_rest() -> None:
    from twinset.evaluation.items import Classified

    labels = np.arange(120) < 2  # one draw in seven has no right item at all
    one, two = (
        System(
            name=name,
            runs=(
                {"t": Classified(metric="average_precision", labels=labels, predicted=RNG.normal(size=120))},
            ),
        )
        for name in "ab"
    )
    found = compare_systems(one, two, {"t": np.arange(120)}, settings=QUICK)
    assert np.isfinite(found.overall.error)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(RequestError, match="plain, run 1: not scored on the same tasks: \\['ranking'\\]"):
        compare_systems(
            recipe("x", range(3)),
            replace(PLAIN, runs=({"sts": PLAIN.runs[0]["sts"]},)),
            CLUSTERS,
            settings=QUICK,
        )
    with pytest.raises(RequestError, match="sts has 200 items, the other side 3"):
        compare_systems(GOOD, PLAIN, {"sts": np.arange(3), "ranking": np.arange(80)}, settings=QUICK)
    constant = Correlated(metric="spearman", gold=GOLD, predicted=np.zeros(N))
    flat = System(name="flat", runs=({"sts": constant},))
    with pytest.raises(RequestError, match="sts: a score is not a number"):
        compare_systems(flat, flat, {"sts": np.arange(N)}, settings=QUICK)
    with pytest.raises(RequestError, match="no run"):
        System(name="none", runs=())
    with pytest.raises(RequestError, match="no seeds"):
        System(name="fixed", runs=(run(1), run(2)))


@pytest.mark.parametrize(("field", "value"), [("draws", 99), ("level", 1.0), ("level", 0.3), ("workers", 0)])
def test_settings_are_checked(field: str, value: float) -> None:
    with pytest.raises(RequestError, match=str(value)):
        Settings(**{field: value})
