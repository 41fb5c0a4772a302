from __future__ import annotations

from collections import Counter

import pytest

from tests.encoder.tiny import tiny_encoder
from tests.evaluation.judged_texts import PAIR_TASK, RANKING_TASK, RETRIEVAL_TASK, TRANSFER_TASK
from tests.evaluation.known_vectors import (
    TOY,
    TOY_ALL,
    TOY_MEAN,
    TOY_WMEAN,
    KnownPoolings,
    KnownVectors,
    pairs,
)
from twinset.evaluation import StsTask, Suite, evaluate

PERFECT = pairs((5, 10, 80), (3, 2, 1))
SUITE = Suite(name="toys", tasks=(StsTask(name="toy", pairs=TOY), StsTask(name="perfect", pairs=PERFECT)))


def test_a_suite_worked_out_by_hand() -> None:
    scores = evaluate(KnownVectors(), SUITE)
    toy = scores.task("toy").spearman
    assert (toy.all, toy.mean, toy.wmean) == pytest.approx((TOY_ALL, TOY_MEAN, TOY_WMEAN))
    assert scores.task("perfect").spearman.all == pytest.approx(1.0)
    assert scores.headline == pytest.approx((TOY_ALL + 1) / 2)
    assert scores.average(protocol="wmean") == pytest.approx((TOY_WMEAN + 1) / 2)


def test_a_task_that_is_one_set_is_scored_as_one() -> None:
    one = StsTask(name="toy", pairs=TOY, one_set=True)
    scores = evaluate(KnownVectors(), Suite(name="toys", tasks=(one,)))
    toy = scores.task("toy").spearman
    assert (toy.all, toy.mean, toy.wmean) == pytest.approx((TOY_ALL, TOY_ALL, TOY_ALL))
    assert toy.subsets == pytest.approx({"a": 0.8, "b": -1.0})
    assert scores.to_json()["items"]["toy"]["one_set"] is True  # type: ignore[index]


def test_each_distinct_text_of_all_tasks_is_encoded_once() -> None:
    encoder = KnownPoolings()
    evaluate(encoder, SUITE, poolings=("mean", "cls"))
    assert encoder.asked == [("mean", "cls")]
    assert Counter(encoder.seen) == Counter(["0", "10", "20", "30", "50", "40", "60", "5", "80"])


def test_items_are_kept_in_the_order_of_the_data() -> None:
    items = evaluate(KnownVectors(), SUITE).task("toy").pairs
    assert list(items.groups) == ["a", "a", "a", "a", "b", "b"]
    assert items.gold.tolist() == TOY.scores.tolist()
    assert items.predicted.tolist() == [0.984808, 0.939693, 0.866025, 0.642788, 0.766044, 0.5]


def test_poolings_keep_their_names_and_the_first_is_the_headline() -> None:
    scores = evaluate(KnownPoolings(), SUITE, poolings=("cls", "mean"))
    assert scores.poolings == ("cls", "mean")
    assert scores.tasks == ("toy", "perfect")
    # `cls` orders the pairs the other way round
    assert scores.headline == scores.average("cls") == pytest.approx(-(TOY_ALL + 1) / 2)
    assert scores.average("mean") == pytest.approx((TOY_ALL + 1) / 2)
    assert evaluate(KnownPoolings(), SUITE).poolings == ("mean",)


def test_another_order_of_the_tasks_changes_nothing() -> None:
    turned = Suite(name="toys", tasks=SUITE.tasks[::-1])
    one, other = evaluate(KnownVectors(), SUITE), evaluate(KnownVectors(), turned)
    assert one.task("toy").to_json() == other.task("toy").to_json()
    assert one.task("perfect").to_json() == other.task("perfect").to_json()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    evaluate(KnownVectors(), SUITE, progress=lambda done, total: told.append((done, total)))
    assert told == [(9, 9)]


MIXED = Suite(
    name="mixed",
    tasks=(StsTask(name="toy", pairs=TOY), PAIR_TASK, RANKING_TASK, RETRIEVAL_TASK, TRANSFER_TASK),
)


def test_a_suite_may_mix_all_kinds() -> None:
    encoder = KnownVectors()
    scores = evaluate(encoder, MIXED)
    assert max(Counter(encoder.seen).values()) == 1
    assert scores.tasks == ("toy", "paraphrases", "answers", "search", "sides")
    alone = [evaluate(KnownVectors(), Suite(name="one", tasks=(task,))) for task in MIXED.tasks]
    assert [scores.task(name).value for name in scores.tasks] == [one.headline for one in alone]
    assert scores.headline == pytest.approx(sum(one.headline for one in alone) / 5)
    assert [scores.task(name).fingerprint for name in scores.tasks] == [
        one.task(name).fingerprint for one, name in zip(alone, scores.tasks, strict=True)
    ]
    assert len({scores.task(name).fingerprint for name in scores.tasks}) == 5


def test_items_know_with_which_others_they_share_texts_over_the_whole_suite() -> None:
    scores = evaluate(KnownVectors(), MIXED)
    toy, pairs, answers, search, sides = (scores.task(name).clusters for name in scores.tasks)
    # "0" stands in every scored and labelled pair, and is a query of both rankings
    assert set(toy) == set(pairs) == {toy[0]}
    assert (answers[0], search[0]) == (toy[0], toy[0])
    assert answers[1] != toy[0]
    assert len(set(sides)) == len(sides) == 10
    assert not set(sides) & {toy[0], answers[1], search[1]}
    for name in scores.tasks:
        assert len(scores.task(name).clusters) == len(scores.task(name)) == len(scores.task(name).items())


def test_the_encoder_itself_can_be_evaluated() -> None:
    encoder = tiny_encoder("bert")
    own = evaluate(encoder, SUITE)
    named = evaluate(encoder, SUITE, poolings=("cls", encoder.pooling))
    assert own.encoder == encoder.name
    assert own.poolings == (encoder.pooling,)
    assert named.task("toy", encoder.pooling).pairs.predicted == pytest.approx(
        own.task("toy").pairs.predicted, abs=1e-5
    )
    assert named.task("toy", "cls").pairs.predicted != pytest.approx(
        own.task("toy").pairs.predicted, abs=1e-5
    )
