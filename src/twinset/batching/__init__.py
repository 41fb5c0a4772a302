"""Which texts meet in a batch."""

from __future__ import annotations

from twinset.batching.random import Random
from twinset.batching.source_order import SourceOrder

AnyBatching = Random | SourceOrder
"""Every batching a run file may name. A new one is added here, by one word."""

__all__ = ["AnyBatching", "Random", "SourceOrder"]
