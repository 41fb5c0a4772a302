"""Evaluate an encoder on a suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twinset.evaluation.clusters import suite_clusters
from twinset.evaluation.embedding import Encodes, Progress, embed_columns
from twinset.evaluation.suite import Suite
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.task import TaskScores

if TYPE_CHECKING:
    from twinset.encoder.pooling import Pooling


def evaluate(
    encoder: Encodes,
    suite: Suite,
    *,
    poolings: Sequence[Pooling] | None = None,
    progress: Progress | None = None,
) -> SuiteScores:
    """Score an encoder on every task of a suite.

    Each distinct text of the whole suite is encoded once (once a role, where the encoder knows roles), and
    every pooling named comes from that one pass; without names, the encoder's own. `progress(done, total)`
    counts texts.
    """
    wanted = [task.columns for task in suite.tasks]
    clusters = suite_clusters([task.item_texts for task in suite.tasks])
    vectors = embed_columns(encoder, [column for columns in wanted for column in columns], poolings, progress)
    scores: dict[str, dict[str, TaskScores]] = {}
    for pooling, points in vectors.items():
        scores[pooling], rest = {}, points
        for task, columns, together in zip(suite.tasks, wanted, clusters, strict=True):
            own, rest = rest[: len(columns)], rest[len(columns) :]
            scores[pooling][task.name] = task.score(own, pooling=pooling, clusters=together)
    name = str(getattr(encoder, "name", type(encoder).__name__))
    return SuiteScores(suite=suite.name, encoder=name, scores=scores)
