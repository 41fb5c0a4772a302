"""Pure functions from vectors of numbers to a score."""

from __future__ import annotations

from twinset.evaluation.metrics.by_name import RankingMetric, ranking_metric
from twinset.evaluation.metrics.cosine import cosine
from twinset.evaluation.metrics.cut import has_positive_at, precision_at, recall_at
from twinset.evaluation.metrics.decisions import accuracy, average_precision_score, f1
from twinset.evaluation.metrics.ndcg import Gain, ndcg
from twinset.evaluation.metrics.pearson import pearson
from twinset.evaluation.metrics.places import Places, Unjudged, places
from twinset.evaluation.metrics.ranking import average_precision, reciprocal_rank
from twinset.evaluation.metrics.spearman import average_ranks, spearman
from twinset.evaluation.metrics.threshold import Thresholded, best_threshold

__all__ = [
    "Gain",
    "Places",
    "RankingMetric",
    "Thresholded",
    "Unjudged",
    "accuracy",
    "average_precision",
    "average_precision_score",
    "average_ranks",
    "best_threshold",
    "cosine",
    "f1",
    "has_positive_at",
    "ndcg",
    "pearson",
    "places",
    "precision_at",
    "ranking_metric",
    "recall_at",
    "reciprocal_rank",
    "spearman",
]
