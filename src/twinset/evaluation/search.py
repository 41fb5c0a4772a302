"""Exact search: every query against every document, a block at a time.

Cosines are taken in double precision and rounded to six decimals, so that equal texts tie wherever they
stand in a block.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from twinset.errors import RequestError
from twinset.evaluation.correlations import DIGITS
from twinset.evaluation.metrics import Places
from twinset.evaluation.task import Points

QUERIES = 256
DOCUMENTS = 4096
"""The most cosines there are at once: 256 x 4096 of 8 bytes."""


def search_places(
    queries: Points, documents: Points, query_of: np.ndarray, document_of: np.ndarray, gains: np.ndarray
) -> tuple[Places, ...]:
    """Where the relevant documents of each query stand among all documents.

    (query_of, document_of, gains) (r,): the relevant ones, each once, gains > 0; every query has one at
    least. As in `places`, of equal cosines the less relevant document stands in front.
    """
    cosines = _pair_cosines(queries, documents, query_of, document_of)
    slots = _slots(query_of, len(queries))
    targets = np.full((len(queries), int(slots.max()) + 1), np.inf)
    targets[query_of, slots] = cosines
    ahead = np.zeros(targets.shape, dtype=np.int64)
    for first, start, block in _blocks(queries, documents):
        _hide(block, query_of - first, document_of - start)
        own = slice(first, first + len(block))
        for slot in range(targets.shape[1]):
            ahead[own, slot] += (block >= targets[own, slot, None]).sum(axis=1)
    wrong = ahead[query_of, slots]
    order = np.lexsort((gains, -cosines, query_of))
    ends = np.cumsum(np.bincount(query_of, minlength=len(queries)))
    return tuple(
        Places(ranks=wrong[rows] + np.arange(1.0, len(rows) + 1), gains=gains[rows])
        for rows in np.split(order, ends[:-1])
    )


def nearest(queries: Points, documents: Points, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k documents of the highest cosine for each query, the best first: rows and cosines, both (q, k).

    Of equal cosines the document that comes first in the collection stands in front.
    """
    kept: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for first, start, cosines in _blocks(queries, documents):
        block = cosines
        numbers = np.broadcast_to(np.arange(start, start + block.shape[1]), block.shape)
        if first in kept:
            rows, best = kept[first]
            numbers, block = np.hstack([rows, numbers]), np.hstack([best, block])
        order = np.argsort(-block, axis=1, kind="stable")[:, :k]
        kept[first] = np.take_along_axis(numbers, order, 1), np.take_along_axis(block, order, 1)
    found = [kept[first] for first in sorted(kept)]
    return np.concatenate([rows for rows, _ in found]), np.concatenate([best for _, best in found])


def _blocks(queries: Points, documents: Points) -> Iterator[tuple[int, int, np.ndarray]]:
    """Cosines of some queries with some documents, and the rows at which both begin."""
    for start in range(0, len(documents), DOCUMENTS):
        candidates = _unit(documents.rows(slice(start, start + DOCUMENTS)))
        for first in range(0, len(queries), QUERIES):
            asked = _unit(queries.rows(slice(first, first + QUERIES)))
            yield first, start, (asked @ candidates.T).round(DIGITS)


def _unit(vectors: np.ndarray) -> np.ndarray:
    precise = vectors.astype(np.float64)
    if not np.isfinite(precise).all():
        raise RequestError("search: some vectors are no numbers, so that there is no cosine to rank by")
    lengths = np.linalg.norm(precise, axis=1, keepdims=True)
    return np.divide(precise, lengths, out=np.zeros_like(precise), where=lengths != 0)


def _pair_cosines(
    queries: Points, documents: Points, query_of: np.ndarray, document_of: np.ndarray
) -> np.ndarray:
    parts = [
        np.einsum(
            "nd,nd->n",
            _unit(queries.rows(query_of[start : start + DOCUMENTS])),
            _unit(documents.rows(document_of[start : start + DOCUMENTS])),
        )
        for start in range(0, len(query_of), DOCUMENTS)
    ]
    return np.concatenate(parts).round(DIGITS)


def _slots(query_of: np.ndarray, queries: int) -> np.ndarray:
    """Number each query's relevant documents from 0: (r,)."""
    order = np.argsort(query_of, kind="stable")
    counts = np.bincount(query_of, minlength=queries)
    slots = np.empty(len(query_of), dtype=np.int64)
    slots[order] = np.arange(len(query_of)) - np.repeat(np.cumsum(counts) - counts, counts)
    return slots


def _hide(block: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> None:
    """Take the relevant documents out of the count: they stand in order among themselves."""
    inside = (rows >= 0) & (rows < block.shape[0]) & (columns >= 0) & (columns < block.shape[1])
    block[rows[inside], columns[inside]] = -np.inf
