from __future__ import annotations

import pytest

from twinset.data import read_collection
from twinset.errors import DataError

QUERIES = [{"qid": "q1", "text": "first"}, {"qid": "q2", "text": "second"}]
CORPUS = [{"_id": "d1", "title": "t", "text": "one"}, {"_id": "d2", "title": "t", "text": "two"}]


def judged(query: str, document: str) -> list[dict[str, object]]:
    return [{"query-id": query, "corpus-id": document, "score": 2}]


def test_judgements_find_their_texts() -> None:
    data = read_collection(QUERIES, CORPUS, judged("q2", "d1"))
    assert list(data.documents) == ["one", "two"]
    assert data.query_ids is not None
    assert data.document_ids is not None
    assert (list(data.query_ids), list(data.document_ids)) == (["q1", "q2"], ["d1", "d2"])
    assert (data.query_of.tolist(), data.document_of.tolist(), data.relevance.tolist()) == ([1], [0], [2.0])


def test_ids_that_are_not_there_or_there_twice_are_refused() -> None:
    with pytest.raises(DataError, match="item 1: 'corpus-id' is 'd9', which the list given does not have"):
        read_collection(QUERIES, CORPUS, judged("q1", "d9"))
    with pytest.raises(DataError, match="item 3: the id 'q1' stands there a second time"):
        read_collection([*QUERIES, QUERIES[0]], CORPUS, judged("q1", "d1"))
