from __future__ import annotations

import pytest

from twinset.data import Collection, Texts
from twinset.errors import DataError


def test_relevant_pairs_leave_out_what_was_judged_wrong() -> None:
    data = Collection(
        queries=Texts(["q0", "q1"]),
        documents=Texts(["d0", "d1", "d2"]),
        query_of=[0, 0, 1],
        document_of=[2, 1, 0],
        relevance=[1, 0, 2],
    )
    pairs = data.relevant()
    assert list(zip(*pairs.columns, strict=True)) == [("q0", "d2"), ("q1", "d0")]
    assert pairs.roles == ("query", "document")


def _data(**changes: object) -> Collection:
    fields: dict[str, object] = {
        "queries": Texts(["q0", "q1", "q2"]),
        "documents": Texts(["d0", "d1"]),
        "query_of": [0, 2, 2],
        "document_of": [1, 0, 1],
        "relevance": [1, 2, 0],
        "query_ids": Texts(["a", "b", "c"]),
    }
    return Collection(**{**fields, **changes})  # type: ignore[arg-type]


def test_some_queries_are_kept_with_their_judgements_and_all_documents() -> None:
    some = _data().take_queries([2, 1])
    assert list(some.queries) == ["q2", "q1"]
    assert some.query_ids is not None
    assert list(some.query_ids) == ["c", "b"]
    assert list(some.documents) == ["d0", "d1"]
    judged = zip(some.query_of, some.document_of, some.relevance, strict=True)
    assert list(judged) == [(0, 0, 2), (0, 1, 0)]


def test_a_judgement_that_stands_twice_counts_once() -> None:
    twice = _data(query_of=[2, 0, 2, 2], document_of=[0, 1, 0, 1], relevance=[2, 1, 2, 0])
    judged = zip(twice.query_of, twice.document_of, twice.relevance, strict=True)
    assert list(judged) == [(2, 0, 2), (0, 1, 1), (2, 1, 0)]
    with pytest.raises(DataError, match="judgements 1 and 3 give one document two relevances"):
        _data(query_of=[2, 0, 2], document_of=[0, 1, 0], relevance=[2, 1, 1])


def test_every_text_has_its_id() -> None:
    with pytest.raises(DataError, match="1 query_ids for 3 texts"):
        _data(query_ids=Texts(["a"]))


def test_judgements_must_point_at_texts() -> None:
    texts = Texts(["a"])
    with pytest.raises(DataError, match="document_of points outside the 1 texts"):
        Collection(queries=texts, documents=texts, query_of=[0], document_of=[1], relevance=[1])
    with pytest.raises(DataError, match="different lengths"):
        Collection(queries=texts, documents=texts, query_of=[0, 0], document_of=[0], relevance=[1])
