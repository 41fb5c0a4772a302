from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.evaluation.judged_texts import LISTS, RANKING_TASK, KnownRoles
from tests.evaluation.known_vectors import KnownVectors
from twinset.data import Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation import RankingScores, RankingTask, Suite, evaluate
from twinset.evaluation.items import Averaged


def _scores(task: RankingTask = RANKING_TASK) -> RankingScores:
    found = evaluate(KnownVectors(), Suite(name="s", tasks=(task,))).task(task.name)
    assert isinstance(found, RankingScores)
    return found


def test_a_task_worked_out_by_hand() -> None:
    scores = _scores()
    assert [found.ranks.tolist() for found in scores.places] == [[2, 3], [1]]
    assert [found.gains.tolist() for found in scores.places] == [[2, 1], [1]]
    assert scores.metric == "map"
    assert scores.value == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1) / 2)
    assert scores.metrics["mrr"] == pytest.approx((1 / 2 + 1) / 2)
    assert scores.metrics["has_positive@1"] == pytest.approx(1 / 2)
    assert len(scores) == 2


def test_a_query_without_an_answer_is_left_out_and_counted() -> None:
    scores = evaluate(KnownVectors(), Suite(name="s", tasks=(RANKING_TASK,)))
    assert scores.notes == ("answers: 1 query without a relevant document left out",)
    assert scores.notes[0] in scores.table()
    assert list(RANKING_TASK.item_texts[0]) == ["0", "100"]


def test_any_metric_can_be_asked_of_the_items() -> None:
    items = _scores().items("precision@3")
    assert isinstance(items, Averaged)
    assert items.metric == "precision@3"
    assert items.values.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert _scores().items().values.tolist() == pytest.approx([(1 / 2 + 2 / 3) / 2, 1])
    assert _scores(replace(RANKING_TASK, metric="mrr@1")).value == pytest.approx(1 / 2)


def test_queries_and_documents_have_their_roles() -> None:
    encoder = KnownRoles()
    scores = evaluate(encoder, Suite(name="s", tasks=(RANKING_TASK,)))
    assert dict(encoder.asked).keys() == {"query", "document"}
    # turned by ten degrees, query 0 stands at 10: candidates 10 (wrong), then 20 and 30
    found = scores.task("answers")
    assert isinstance(found, RankingScores)
    assert found.places[0].ranks.tolist() == [2, 3]


def test_equal_candidates_tie_and_the_wrong_one_stands_in_front() -> None:
    lists = replace(
        LISTS,
        queries=Texts(["0"]),
        candidates=Texts(["20", "20"]),
        query_of=np.array([0, 0]),
        relevance=np.array([1.0, 0.0]),
    )
    assert _scores(replace(RANKING_TASK, lists=lists)).places[0].ranks.tolist() == [2]


def test_tasks_that_cannot_be() -> None:
    nothing = replace(LISTS, relevance=np.zeros(6))
    with pytest.raises(DataError, match="answers: no query has a relevant candidate"):
        RankingTask(name="answers", lists=nothing)
    with pytest.raises(DataError, match="no query has a wrong candidate beside a right one"):
        RankingTask(name="answers", lists=LISTS.take([1, 2, 3, 5]))
    with pytest.raises(RequestError, match="'hits' is none of ndcg"):
        RankingTask(name="answers", lists=LISTS, metric="hits")


def test_vectors_that_are_no_numbers_cannot_be_ranked() -> None:
    class Broken(KnownVectors):
        def encode(self, texts: Texts, /) -> np.ndarray:
            return np.full((len(texts), 2), np.nan, np.float32)

    with pytest.raises(RequestError, match="answers: some vectors are no numbers"):
        evaluate(Broken(), Suite(name="s", tasks=(RANKING_TASK,)))
