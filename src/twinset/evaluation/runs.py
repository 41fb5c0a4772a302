"""Runs of search systems: made from an encoder, and scored, whoever made them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from twinset.data.collection import Collection
from twinset.data.texts import Texts
from twinset.errors import DataError
from twinset.evaluation.clusters import suite_clusters
from twinset.evaluation.embedding import Encodes, Progress, embed_columns
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.metrics import Places, Unjudged, places
from twinset.evaluation.ranking import left_out_note
from twinset.evaluation.ranking_scores import RankingScores
from twinset.evaluation.retrieval import RetrievalTask
from twinset.evaluation.search import nearest
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.trec import Qrels, Run

if TYPE_CHECKING:
    from twinset.encoder.pooling import Pooling

POOLING = "run"
"""Where scores say under which pooling vectors were made: a run has none."""


def run_of(
    encoder: Encodes,
    task: RetrievalTask,
    *,
    depth: int = 1000,
    pooling: Pooling | None = None,
    progress: Progress | None = None,
) -> dict[str, dict[str, float]]:
    """Search for every query of a task that has an answer, and keep the `depth` nearest documents: a run."""
    poolings = None if pooling is None else (pooling,)
    ((queries, documents),) = embed_columns(encoder, task.columns, poolings, progress).values()
    rows, cosines = nearest(queries, documents, depth)
    query_ids, document_ids = ids_of(task.collection)
    return {
        query_ids[int(query)]: {
            document_ids[int(row)]: float(cosine) for row, cosine in zip(found, near, strict=True)
        }
        for query, found, near in zip(task.answered, rows, cosines, strict=True)
    }


def qrels_of(collection: Collection) -> dict[str, dict[str, float]]:
    """The judgements of a collection by their ids."""
    query_ids, document_ids = ids_of(collection)
    qrels: dict[str, dict[str, float]] = {}
    for query, document, relevance in zip(
        collection.query_of, collection.document_of, collection.relevance, strict=True
    ):
        qrels.setdefault(query_ids[int(query)], {})[document_ids[int(document)]] = float(relevance)
    return qrels


def ids_of(collection: Collection) -> tuple[Texts, Texts]:
    """The ids of queries and documents; where they have none, their numbers from 1."""
    queries, documents = collection.query_ids, collection.document_ids
    return (
        Texts([str(row + 1) for row in range(len(collection.queries))]) if queries is None else queries,
        Texts([str(row + 1) for row in range(len(collection.documents))]) if documents is None else documents,
    )


def score_run(
    run: Run, judged: RetrievalTask | Qrels, *, name: str = "run", task: str = "run"
) -> SuiteScores:
    """Score what a system found.

    judged: a task - then the scores can be compared with those of an encoder on it, and every id of the run
    must be one of its collection - or qrels alone. A query that the run lacks has found nothing. A document
    that the run lacks was not found; of equal scores the wrong documents stand in front. task: what the task
    is called where there are qrels alone.
    """
    scores = _on_task(run, judged) if isinstance(judged, RetrievalTask) else _on_qrels(run, judged, task)
    return SuiteScores(suite=scores.task, encoder=name, scores={POOLING: {scores.task: scores}})


def _on_task(run: Run, task: RetrievalTask) -> RankingScores:
    query_ids, document_ids = ids_of(task.collection)
    known_queries, known_documents = set(query_ids), set(document_ids)
    for query, found in run.items():
        strange = next((each for each in found if each not in known_documents), None)
        if query not in known_queries or strange is not None:
            what = f"document {strange!r}" if strange is not None else f"query {query!r}"
            raise DataError(
                f"run: {what} is not in the collection of {task.name}; was it made on other data? "
                "Score it with its own qrels"
            )
    qrels = qrels_of(task.collection)
    asked = [query_ids[int(row)] for row in task.answered]
    found = [_places(run.get(query, {}), qrels[query], task.unjudged) for query in asked]
    return task.scores_of(found, pooling=POOLING, clusters=suite_clusters([task.item_texts])[0])


def _on_qrels(run: Run, qrels: Qrels, task: str) -> RankingScores:
    answered = sorted(query for query, judged in qrels.items() if max(judged.values(), default=0) > 0)
    if not answered:
        raise DataError("qrels: no query has a relevant document; there is nothing to score")
    rows = sorted((query, document) for query in answered for document in qrels[query])
    relevance = np.array([qrels[query][document] for query, document in rows])
    ids = ([query for query, _ in rows], [document for _, document in rows])
    return RankingScores(
        task=task,
        pooling=POOLING,
        places=tuple(_places(run.get(query, {}), qrels[query], "wrong") for query in answered),
        metric="ndcg@10",
        clusters=np.arange(len(answered)),
        fingerprint=fingerprint("qrels", ids, (relevance,)),
        notes=left_out_note(task, len(qrels) - len(answered)),
    )


def _places(found: Mapping[str, float], judged: Mapping[str, float], unjudged: Unjudged) -> Places:
    """Places of what was found, and at infinity those of what should have been."""
    relevance = [judged.get(document, float("nan")) for document in found]
    missing = sorted((gain for name, gain in judged.items() if gain > 0 and name not in found), reverse=True)
    there = any(gain > 0 for gain in relevance)
    own = places(list(found.values()), relevance, unjudged=unjudged) if there else None
    ranks = np.empty(0) if own is None else own.ranks
    gains = np.empty(0) if own is None else own.gains
    return Places(ranks=np.r_[ranks, np.full(len(missing), np.inf)], gains=np.r_[gains, missing])
