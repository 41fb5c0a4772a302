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


def test_judgements_must_point_at_texts() -> None:
    texts = Texts(["a"])
    with pytest.raises(DataError, match="document_of points outside the 1 texts"):
        Collection(queries=texts, documents=texts, query_of=[0], document_of=[1], relevance=[1])
    with pytest.raises(DataError, match="different lengths"):
        Collection(queries=texts, documents=texts, query_of=[0, 0], document_of=[0], relevance=[1])
