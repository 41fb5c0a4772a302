"""Text to vectors: a Hugging Face encoder, its pooling, its tokenizer, and the folder they live in.

Names are looked up when they are asked for: `import twinset.encoder` loads neither torch nor transformers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twinset.encoder.backbone import Backbone
    from twinset.encoder.card import Card
    from twinset.encoder.encoder import Encoder
    from twinset.encoder.engine import Engine
    from twinset.encoder.pooling import POOLINGS, Pooling
    from twinset.encoder.prompts import Prompts
    from twinset.encoder.quantize import quantized
    from twinset.encoder.tokens import TokenStore

__all__ = [
    "POOLINGS",
    "Backbone",
    "Card",
    "Encoder",
    "Engine",
    "Pooling",
    "Prompts",
    "TokenStore",
    "quantized",
]

_HOMES = {
    "POOLINGS": "pooling",
    "Backbone": "backbone",
    "Card": "card",
    "Encoder": "encoder",
    "Engine": "engine",
    "Pooling": "pooling",
    "Prompts": "prompts",
    "TokenStore": "tokens",
    "quantized": "quantize",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
