"""Pure functions from vectors of numbers to a score."""

from __future__ import annotations

from twinset.evaluation.metrics.cosine import cosine
from twinset.evaluation.metrics.pearson import pearson
from twinset.evaluation.metrics.spearman import average_ranks, spearman

__all__ = ["average_ranks", "cosine", "pearson", "spearman"]
