"""What contrastive learning must beat: rankings that need no training."""

from __future__ import annotations

from twinset.baselines.bm25 import BM25
from twinset.baselines.tfidf import TfIdf

__all__ = ["BM25", "TfIdf"]
