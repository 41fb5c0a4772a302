"""twinset teaches a sentence encoder a domain by contrast, and proves whether it got better.

Names are looked up when they are asked for: `import twinset` loads no deep-learning library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twinset import (
        baselines,
        batching,
        data,
        evidence,
        export,
        negatives,
        objectives,
        recipes,
        studies,
        views,
    )
    from twinset.encoder import Encoder, Engine
    from twinset.errors import TwinsetError
    from twinset.evaluation import evaluate, tasks
    from twinset.evidence import compare
    from twinset.studies import study
    from twinset.training import Recipe, Recording, train

__all__ = [
    "Encoder",
    "Engine",
    "Recipe",
    "Recording",
    "TwinsetError",
    "baselines",
    "batching",
    "compare",
    "data",
    "evaluate",
    "evidence",
    "export",
    "negatives",
    "objectives",
    "recipes",
    "studies",
    "study",
    "tasks",
    "train",
    "views",
]

# Where each name lives; a room stands for itself.
_HOMES = {
    "Encoder": "encoder",
    "Engine": "encoder",
    "Recipe": "training",
    "Recording": "training",
    "TwinsetError": "errors",
    "compare": "evidence",
    "evaluate": "evaluation",
    "study": "studies",
    "tasks": "evaluation",
    "train": "training",
}
_ROOMS = frozenset(__all__) - frozenset(_HOMES)


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return importlib.import_module(f"twinset.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"twinset.{_HOMES[name]}"), name)
    if name == "__version__":
        from importlib import metadata

        return metadata.version("twinset")
    raise AttributeError(f"module 'twinset' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
