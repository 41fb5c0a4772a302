from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.evaluation.judged_texts import COLLECTION, RETRIEVAL_TASK, KnownRoles
from tests.evaluation.known_vectors import KnownVectors
from twinset.errors import DataError, RequestError
from twinset.evaluation import RankingScores, RetrievalTask, Suite, evaluate


def _scores(task: RetrievalTask = RETRIEVAL_TASK) -> RankingScores:
    found = evaluate(KnownVectors(), Suite(name="s", tasks=(task,))).task(task.name)
    assert isinstance(found, RankingScores)
    return found


def test_a_task_worked_out_by_hand() -> None:
    scores = _scores()
    # query 0: 5 (unjudged), 10 (relevance 2), 20 (wrong), 40 (relevance 1), 90
    assert [found.ranks.tolist() for found in scores.places] == [[2, 4], [1]]
    assert [found.gains.tolist() for found in scores.places] == [[2, 1], [1]]
    first = (2 / np.log2(3) + 1 / np.log2(5)) / (2 + 1 / np.log2(3))
    assert scores.metric == "ndcg@10"
    assert scores.value == pytest.approx((first + 1) / 2)
    assert scores.items("map").values.tolist() == pytest.approx([(1 / 2 + 2 / 4) / 2, 1])
    assert scores.notes == ("search: 1 query without a relevant document left out",)


def test_what_nobody_judged_can_be_unknown() -> None:
    scores = _scores(replace(RETRIEVAL_TASK, unjudged="unknown"))
    # judged are 10 (relevance 2), 20 (wrong) and 40 (relevance 1)
    assert [found.ranks.tolist() for found in scores.places] == [[1, 3], [1]]
    assert scores.fingerprint != _scores().fingerprint


def test_only_queries_with_an_answer_are_encoded_each_in_its_role() -> None:
    encoder = KnownRoles()
    evaluate(encoder, Suite(name="s", tasks=(RETRIEVAL_TASK,)))
    assert dict(encoder.asked) == {"query": ("0", "80"), "document": ("40", "5", "90", "20", "10")}
    assert list(RETRIEVAL_TASK.item_texts[0]) == ["0", "80"]


def test_the_order_of_queries_and_judgements_does_not_matter() -> None:
    order = np.array([3, 1, 2, 0])
    turned = replace(
        COLLECTION,
        query_of=COLLECTION.query_of[order],
        document_of=COLLECTION.document_of[order],
        relevance=COLLECTION.relevance[order],
    )
    for unjudged in ("wrong", "unknown"):
        one = _scores(replace(RETRIEVAL_TASK, unjudged=unjudged))
        other = _scores(replace(RETRIEVAL_TASK, collection=turned, unjudged=unjudged))
        assert one.found() == other.found()


def test_tasks_that_cannot_be() -> None:
    with pytest.raises(DataError, match="search: no query has a relevant document"):
        RetrievalTask(name="search", collection=replace(COLLECTION, relevance=np.zeros(4)))
    with pytest.raises(RequestError, match="'hits' is none of ndcg"):
        RetrievalTask(name="search", collection=COLLECTION, metric="hits")
    with pytest.raises(RequestError, match="'open' is none of wrong, unknown"):
        RetrievalTask(name="search", collection=COLLECTION, unjudged="open")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no document is judged wrong"):
        RetrievalTask(name="search", collection=replace(COLLECTION, relevance=np.ones(4)), unjudged="unknown")
