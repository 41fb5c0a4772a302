"""Candidates from outside the batch: the queue of earlier batches that forgets."""

from __future__ import annotations

from twinset.negatives.queue import Queue

__all__ = ["Queue"]
