"""twinset's loop with its engine taken out, to measure what the engine brings.

For a time: texts are padded to the longest of the whole batch instead of packed into rows
(`chunk_tokens=None`, `backbone.packs = False`); dropout and attention stay torch's own (`quicken`, which
the learner calls, does nothing); memory goes back to the system after every step (`keeping_memory`, which
the loop calls, does nothing). Looks, objective, optimizer and who meets whom are the same.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from unittest.mock import patch

from twinset.encoder import Encoder
from twinset.training import Recipe


def padded(encoder: Encoder, recipe: Recipe) -> tuple[Encoder, Recipe]:
    """Every batch padded to its longest text; all else is the engine's."""
    other = encoder.copy()
    other.backbone.packs = False
    return other, replace(recipe, chunk_tokens=None)


@contextmanager
def without_engine() -> Generator[None]:
    """Torch's dropout, attention and use of memory, for runs that begin in here."""
    with (
        patch("twinset.training.learner.quicken", lambda _backbone: None),
        patch("twinset.training.loop.keeping_memory", nullcontext),
    ):
        yield
