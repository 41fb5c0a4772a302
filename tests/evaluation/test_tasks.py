from __future__ import annotations

import subprocess
import sys

import pytest

from tests.evaluation.judged_texts import COLLECTION, DEV, LISTS, PAIRS, sides
from tests.evaluation.known_vectors import TOY, TOY_ALL, TOY_WMEAN, KnownPoolings, KnownVectors
from twinset.evaluation import Sts, tasks


def test_a_watch_gives_scores_the_one_to_choose_by_first() -> None:
    scores = Sts(TOY)(KnownVectors())
    assert list(scores) == ["spearman", "pearson"]
    assert scores["spearman"] == pytest.approx(TOY_ALL)
    assert -1 < scores["pearson"] < 1
    assert scores["pearson"] != pytest.approx(scores["spearman"])


def test_a_watch_can_use_another_pooling_than_the_encoder() -> None:
    encoder = KnownPoolings()
    watch = Sts(TOY, pooling="cls")
    assert watch.evaluate(encoder).poolings == ("cls",)
    assert watch(encoder)["spearman"] == pytest.approx(-TOY_ALL)


def test_a_watch_can_be_compared_on() -> None:
    scores = tasks.Sts(TOY, name="dev").evaluate(KnownVectors())
    assert scores.suite == "dev"
    assert scores.task("dev").spearman.wmean == pytest.approx(TOY_WMEAN)
    assert len(scores.task("dev")) == 6


def test_every_kind_can_be_watched_and_compared_on() -> None:
    watches = {
        "f1": tasks.Pairs(PAIRS, DEV),
        "average_precision": tasks.Pairs(PAIRS),
        "map": tasks.Ranking(LISTS),
        "mrr@1": tasks.Ranking(LISTS, metric="mrr@1"),
        "ndcg@10": tasks.Retrieval(COLLECTION),
        "recall@2": tasks.Retrieval(COLLECTION, metric="recall@2", unjudged="unknown"),
        "accuracy": tasks.Transfer(sides(20), sides(6, seed=1, wrong=1)),
    }
    for metric, watch in watches.items():
        told, scores = watch(KnownVectors()), watch.evaluate(KnownVectors())
        assert next(iter(told)) == metric == scores.metric
        assert told[metric] == scores.headline
        assert scores.tasks == (watch.name,)
        assert len(scores.task(watch.name).items()) > 1


def test_what_a_watch_is_told_reaches_its_task() -> None:
    encoder = KnownVectors()
    assert tasks.Pairs(PAIRS, DEV)(encoder)["f1"] == pytest.approx(4 / 5)
    with pytest.warns(UserWarning, match="too high"):
        assert tasks.Pairs(PAIRS, threshold="best_on_test").evaluate(encoder).notes
    assert tasks.Pairs(PAIRS, positive="0")(encoder)["average_precision"] < 0.6
    assert tasks.Retrieval(COLLECTION, unjudged="unknown")(encoder)["mrr"] == 1
    assert tasks.Retrieval(COLLECTION)(encoder)["mrr"] == pytest.approx(3 / 4)
    assert tasks.Ranking(LISTS, pooling="cls").evaluate(KnownPoolings()).poolings == ("cls",)
    assert tasks.Transfer(sides(20), sides(6, seed=1, wrong=1))(encoder)["accuracy"] == pytest.approx(5 / 6)
    dev = sides(6, seed=2)
    assert len(tasks.Transfer(sides(20), sides(6, seed=1), dev).evaluate(encoder).task("transfer")) == 6


def test_scoring_needs_no_deep_learning_library() -> None:
    program = "import sys, twinset.evaluation; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
