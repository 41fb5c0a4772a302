"""Evaluate an encoder on a suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twinset.evaluation.embedding import Encodes, Progress, distinct, embed
from twinset.evaluation.sts import StsItems, StsScores, predict, score
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.suites import Suite

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

    Each distinct text of the whole suite is encoded once, and every pooling named comes from that one pass;
    without names, the encoder's own. `progress(done, total)` counts texts.
    """
    columns = [column for task in suite.tasks for column in task.pairs.columns]
    texts, ids = distinct(columns)
    vectors = embed(encoder, texts, poolings, progress)
    scores: dict[str, dict[str, StsScores]] = {}
    for pooling, points in vectors.items():
        scores[pooling] = {}
        for task, first, second in zip(suite.tasks, ids[::2], ids[1::2], strict=True):
            predicted = predict(points, first, second)
            items = StsItems(groups=task.groups, gold=task.pairs.scores, predicted=predicted)
            scores[pooling][task.name] = score(task.name, items, pooling=pooling, one_set=task.one_set)
    name = str(getattr(encoder, "name", type(encoder).__name__))
    return SuiteScores(suite=suite.name, encoder=name, scores=scores)
