from __future__ import annotations

import json

import pytest

import twinset as ts
from tests.evidence.sides import Noisy, sts_pairs, sts_suite
from twinset.errors import RequestError
from twinset.evaluation import evaluate
from twinset.evidence import Settings, compare

QUICK = Settings(draws=300)
GOOD, BAD = Noisy(0.05, name="good"), Noisy(0.6, name="bad")


def test_one_encoder_against_another() -> None:
    answer = compare(GOOD, BAD, on=sts_suite(), settings=QUICK)
    assert answer.verdict.word == "better"
    assert str(answer).startswith("better: good differs from bad by +")
    assert answer.comparison.question == "encoders"
    assert compare(BAD, GOOD, on=sts_suite(), settings=QUICK).verdict.word == "worse"


def test_several_of_one_recipe_speak_of_the_recipe() -> None:
    seeds = [Noisy(0.05, seed, name="good") for seed in range(3)]
    answer = compare(seeds, BAD, on=ts.tasks.Sts(sts_pairs()), settings=QUICK)
    assert answer.comparison.question == "recipes"
    assert answer.comparison.runs == (3, 1)
    assert answer.verdict.word == "better"


def test_scores_need_nothing_to_be_scored_on() -> None:
    scores = [evaluate(side, sts_suite()) for side in (GOOD, BAD)]
    answer = compare(*scores, settings=QUICK)
    fresh = compare(GOOD, BAD, on=sts_suite(), settings=QUICK)
    assert answer.comparison.overall == fresh.comparison.overall
    with pytest.raises(RequestError, match="say what to compare on"):
        compare(GOOD, scores[1])


def test_another_metric_than_the_headline() -> None:
    answer = compare(GOOD, BAD, on=sts_suite(), metric="pearson", settings=QUICK)
    assert {task.metric for task in answer.comparison.tasks} == {"pearson"}
    with pytest.raises(RequestError, match="ndcg"):
        compare(GOOD, BAD, on=sts_suite(), metric="ndcg", settings=QUICK)


def test_two_sides_of_one_name_are_told_apart() -> None:
    answer = compare(Noisy(0.05), Noisy(0.05, seed=1), on=sts_suite(), settings=QUICK)
    assert answer.comparison.names == ("noisy (first)", "noisy (second)")


def test_other_items_are_not_compared() -> None:
    one, other = evaluate(GOOD, sts_suite()), evaluate(BAD, sts_suite(shift=1))
    with pytest.raises(RequestError, match="bad: one has other items than good's"):
        compare(one, other, settings=QUICK)
    alone = ts.tasks.Sts(sts_pairs(), name="one").evaluate(BAD)
    with pytest.raises(RequestError, match="bad: scored on one; the other on one, other"):
        compare(one, alone, settings=QUICK)


def test_pairs_that_share_a_text_are_one_component() -> None:
    """The second task repeats the pairs of the first: twice the items, and no more components."""
    pairs = sts_pairs()
    from twinset.evaluation import StsTask, Suite

    twice = Suite(name="twice", tasks=(StsTask(name="one", pairs=pairs), StsTask(name="again", pairs=pairs)))
    found = compare(GOOD, BAD, on=twice, settings=QUICK).comparison
    assert found.components == len(pairs)
    once = compare(GOOD, BAD, on=ts.tasks.Sts(pairs), settings=QUICK).comparison
    assert found.overall.error == pytest.approx(once.overall.error)


def test_a_table_for_people_and_an_object_for_machines() -> None:
    answer = compare(GOOD, BAD, on=sts_suite(), settings=QUICK)
    lines = answer.table().splitlines()
    assert [line.split()[0] for line in lines] == ["task", "one", "other", "average"]
    assert f"{100 * answer.comparison.overall.difference:+.2f}" in lines[-1]
    told = json.loads(json.dumps(answer.to_json()))
    assert told["verdict"] == "better"
    assert told["overall"]["difference"] == answer.comparison.overall.difference
    assert [task["task"] for task in told["tasks"]] == ["one", "other"]


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(RequestError, match="first: the list is empty"):
        compare([], BAD, on=sts_suite())
