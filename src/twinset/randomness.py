"""Random numbers by address: every draw is a function of the run's seed and of where it is made.

A step's dropout masks come from `seed_of(seed, "dropout", step, chunk)`, its views from another address,
an epoch's order from a third. So a resumed run needs no generator state, and a chunk embedded twice gets
the same masks twice.
"""

from __future__ import annotations

import hashlib

import torch


def seed_of(seed: int, *address: str | int) -> int:
    """A 63-bit seed for one place in a run."""
    text = "/".join(str(part) for part in (seed, *address))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def generator_of(seed: int, *address: str | int) -> torch.Generator:
    """A CPU generator for one place in a run."""
    return torch.Generator().manual_seed(seed_of(seed, *address))
