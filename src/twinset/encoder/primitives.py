"""Few of the programs are kept that oneDNN makes for the shapes it meets.

For every shape of a product oneDNN writes machine code and keeps it, for up to a thousand shapes; torch keeps
as many once more. Chunks of texts have ever new shapes, so both fill up: 47 MiB an update in batches of 512.
A chunk's own shapes come again in every layer, and that is all that is worth keeping: with 32 of them,
training was no slower. Both caches ask the environment when they are first used; who has set these variables
keeps what they say.
"""

from __future__ import annotations

import os

KEPT = 32
VARIABLES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")


def keep_few() -> None:
    """Before the first product: afterwards the caches have the size they have."""
    for name in VARIABLES:
        os.environ.setdefault(name, str(KEPT))
