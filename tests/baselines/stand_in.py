"""An encoder that is a table of vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Table:
    """vectors (n, d) of texts "0", "1", ...; under pooling `p` they are multiplied by `scales[p]`."""

    vectors: np.ndarray
    scales: Mapping[str, float] = field(default_factory=dict)
    name: str = "table"
    passes: list[tuple[list[str], object]] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [str(row) for row in range(len(self.vectors))]

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        kept = list(texts)
        self.passes.append((kept, None))
        return self.vectors[[int(text) for text in kept]]

    def encode_query(self, texts: Iterable[str]) -> np.ndarray:
        return self.encode(texts) + 1

    def encode_document(self, texts: Iterable[str]) -> np.ndarray:
        return self.encode(texts) - 1

    def poolings(
        self, texts: Iterable[str], names: Sequence[str], *, role: str | None = None
    ) -> dict[str, np.ndarray]:
        kept = list(texts)
        self.passes.append((kept, role))
        found = self.vectors[[int(text) for text in kept]]
        shift = {"query": 1, "document": -1, None: 0}[role]
        return {name: found * self.scales.get(name, 1) + shift for name in names}


def drawn(rows: int, size: int, seed: int = 0) -> np.ndarray:
    """Vectors that lean to one side and are wider in some directions than in others, (rows, size) float32."""
    generator = np.random.default_rng(seed)
    mixing = generator.normal(size=(size, size)) * np.linspace(0.2, 2, size)
    return (generator.normal(size=(rows, size)) @ mixing + 3).astype(np.float32)
