"""Pure functions from vectors of numbers to a score."""

from __future__ import annotations

from twinset.evaluation.metrics.cosine import cosine
from twinset.evaluation.metrics.pearson import pearson
from twinset.evaluation.metrics.ranking import average_precision, reciprocal_rank
from twinset.evaluation.metrics.spearman import average_ranks, spearman

__all__ = ["average_precision", "average_ranks", "cosine", "pearson", "reciprocal_rank", "spearman"]
