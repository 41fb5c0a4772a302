"""What is better, said of vectors alone. One file each; a run file's `kind` is the file's name."""

from __future__ import annotations

from twinset.objectives.infonce import InfoNCE
from twinset.objectives.nt_xent import NTXent
from twinset.objectives.weighted_sum import Weighted, WeightedSum

AnyObjective = InfoNCE | NTXent | WeightedSum
"""Every objective a run file may name. A new one is added here, by one word."""

__all__ = ["AnyObjective", "InfoNCE", "NTXent", "Weighted", "WeightedSum"]
