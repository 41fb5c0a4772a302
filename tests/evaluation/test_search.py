from __future__ import annotations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation import Points, search
from twinset.evaluation.metrics import places
from twinset.evaluation.search import nearest, search_places


def _points(vectors: np.ndarray) -> Points:
    return Points(vectors=vectors, ids=np.arange(len(vectors)))


def _case(seed: int) -> tuple[Points, Points, np.ndarray]:
    """Few different vectors, so that many cosines are equal; relevance (q, n), one above 0 a query."""
    generator = np.random.default_rng(seed)
    q, n = int(generator.integers(1, 8)), int(generator.integers(1, 40))
    kinds = generator.normal(size=(9, 4)).astype(np.float32)
    relevance = generator.choice([0, 0, 0, 1, 2], size=(q, n))
    relevance[np.arange(q), generator.integers(n, size=q)] = 1
    queries = Points(vectors=kinds, ids=generator.integers(9, size=q))
    documents = Points(vectors=3 * kinds, ids=generator.integers(9, size=n))
    return queries, documents, relevance.astype(float)


def _cosines(queries: Points, documents: Points) -> np.ndarray:
    one, other = (points.rows(slice(None)).astype(np.float64) for points in (queries, documents))
    lengths = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
    return (one @ other.T / lengths).round(6)


@pytest.mark.parametrize("seed", range(100))
def test_blocks_find_what_the_whole_matrix_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "QUERIES", 3)
    monkeypatch.setattr(search, "DOCUMENTS", 7)
    queries, documents, relevance = _case(seed)
    rows = np.random.default_rng(seed).permutation(np.argwhere(relevance > 0))
    query_of, document_of = rows[:, 0], rows[:, 1]
    found = search_places(queries, documents, query_of, document_of, relevance[query_of, document_of])
    for own, scores, judged in zip(found, _cosines(queries, documents), relevance, strict=True):
        expected = places(scores, judged)
        assert own.ranks.tolist() == expected.ranks.tolist()
        assert own.gains.tolist() == expected.gains.tolist()


@pytest.mark.parametrize("seed", range(50))
def test_the_nearest_are_those_of_the_whole_matrix(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "QUERIES", 3)
    monkeypatch.setattr(search, "DOCUMENTS", 7)
    queries, documents, _ = _case(seed)
    rows, cosines = nearest(queries, documents, 5)
    whole = _cosines(queries, documents)
    order = np.argsort(-whole, axis=1, kind="stable")[:, :5]
    assert rows.tolist() == order.tolist()
    assert cosines.tolist() == np.take_along_axis(whole, order, 1).tolist()


def test_never_more_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "QUERIES", 2)
    monkeypatch.setattr(search, "DOCUMENTS", 5)
    generator = np.random.default_rng(0)
    blocks = list(
        search._blocks(_points(generator.normal(size=(7, 3))), _points(generator.normal(size=(12, 3))))
    )
    assert sum(block.size for _, _, block in blocks) == 7 * 12
    assert max(block.size for _, _, block in blocks) == 2 * 5


def test_a_zero_vector_is_like_nothing() -> None:
    queries, documents = _points(np.ones((1, 2))), _points(np.array([[0.0, 0.0], [-1.0, -1.0], [1.0, 1.0]]))
    assert nearest(queries, documents, 3)[1].tolist() == [[1, 0, -1]]


def test_vectors_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(RequestError, match="no cosine to rank by"):
        nearest(_points(np.full((1, 2), np.nan)), _points(np.ones((1, 2))), 1)
