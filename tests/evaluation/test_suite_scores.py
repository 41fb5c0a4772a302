from __future__ import annotations

import json

import pytest

from tests.evaluation.judged_texts import RANKING_TASK, RETRIEVAL_TASK
from tests.evaluation.known_vectors import TOY, KnownPoolings, pairs
from twinset.errors import RequestError
from twinset.evaluation import StsTask, Suite, SuiteScores, evaluate


@pytest.fixture
def scores() -> SuiteScores:
    straight = StsTask(name="straight", pairs=pairs((5, 10, 80), (3, 1, 2)))
    suite = Suite(name="toys", tasks=(StsTask(name="toy", pairs=TOY), straight))
    return evaluate(KnownPoolings(), suite, poolings=("mean", "cls"))


def test_json_says_everything_once(scores: SuiteScores) -> None:
    record = json.loads(json.dumps(scores.to_json(), allow_nan=False))
    assert (record["kind"], record["suite"], record["encoder"]) == ("sts", "toys", "known")
    # Spearman all: toy -1/35, straight 1 - 6 * 2 / 24 = 0.5
    headline = {"pooling": "mean", "metric": "spearman", "protocol": "all", "value": 0.235714}
    assert record["headline"] == headline
    mean = record["poolings"]["mean"]
    assert mean["average"]["spearman"] == {"all": 0.235714, "mean": 0.2, "wmean": 0.35}
    assert mean["tasks"]["toy"]["spearman"]["subsets"] == {"a": 0.8, "b": -1.0}
    toy = record["items"]["toy"]
    assert toy["subsets"] == ["a", "b"]
    assert toy["subset"] == [0, 0, 0, 0, 1, 1]
    assert toy["gold"] == [4.0, 3.0, 1.0, 2.0, 0.5, 5.0]
    assert toy["predicted"].keys() == {"mean", "cls"}
    assert toy["predicted"]["mean"][0] == 0.984808


def test_each_metric_and_the_headline_can_be_averaged(scores: SuiteScores) -> None:
    assert scores.average(metric="spearman", protocol="wmean") == pytest.approx(0.35)
    assert scores.average(protocol="wmean") == scores.average(metric="spearman_wmean")
    assert scores.metric == "spearman"
    with pytest.raises(RequestError, match="toys: toy has no metric 'ndcg@10'; it has spearman, "):
        scores.average(metric="ndcg@10")


def test_a_suite_of_another_kind_says_which(scores: SuiteScores) -> None:
    ranked = evaluate(KnownPoolings(), Suite(name="r", tasks=(RANKING_TASK, RETRIEVAL_TASK)))
    record = json.loads(json.dumps(ranked.to_json(items=False), allow_nan=False))
    assert record["kind"] == "ranking"
    assert record["headline"] == {
        "pooling": "mean",
        "metric": "mixed",
        "value": pytest.approx(ranked.headline, abs=1e-6),
    }
    assert record["poolings"]["mean"]["average"] == {"headline": record["headline"]["value"]}
    assert record["poolings"]["mean"]["tasks"]["search"]["metric"] == "ndcg@10"
    assert len(record["notes"]) == 2
    assert "protocol" in scores.to_json()["headline"]  # type: ignore[operator]


def test_items_can_be_left_out(scores: SuiteScores) -> None:
    assert "items" not in scores.to_json(items=False)


def test_unknown_names_are_answered_with_the_known_ones(scores: SuiteScores) -> None:
    with pytest.raises(RequestError, match="no task 'STS12'; there are toy, straight"):
        scores.task("STS12")
    with pytest.raises(RequestError, match="pooling 'max' was not evaluated; there are mean, cls"):
        scores.average("max")
