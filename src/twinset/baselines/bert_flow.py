"""BERT-flow: a frozen encoder's vectors, carried to a Gaussian by a normalising flow fitted to them.

    z = f(x),   f the invertible map under which x is most likely to be drawn from N(0, I)

The cosine is taken of z. Li et al. 2020; the flow is `glow`, its settings are in `flow_settings`.

Their best pooling, called the last two layers, averages in their program the first and the last layer (it
counts from -0): ours of that is `first_last`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

import numpy as np

from twinset.baselines.flow_settings import FlowSettings
from twinset.baselines.roles import encoded, in_fp32
from twinset.data.texts import Texts
from twinset.evaluation.embedding import Encodes, Progress, embed

ROWS = 4096
"""Vectors that go through the flow at once."""


@final
class BertFlow:
    """An encoder whose vectors go through a flow fitted to those of these texts.

    settings: None for those of the paper's program. fitted_on: what texts these are, in words; if they are a
    test's own, that is transductive, and the name has to say so. progress counts updates of the flow.
    """

    def __init__(
        self,
        encoder: Encodes,
        texts: Iterable[str],
        *,
        settings: FlowSettings | None = None,
        fitted_on: str | None = None,
        progress: Progress | None = None,
    ) -> None:
        from twinset.baselines.flow_training import fit_flow

        column = Texts(texts).unique()
        self._encoder = in_fp32(encoder)
        (vectors,) = embed(encoder, column).values() if len(column) else (np.zeros((0, 2)),)
        self.settings = settings or FlowSettings()
        self.flow = fit_flow(vectors, self.settings, progress)
        self.fitted_on = fitted_on or f"{len(column):,} texts"
        self.name = f"{getattr(encoder, 'name', type(encoder).__name__)}, flow (fitted on {self.fitted_on})"

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d) float32."""
        return self._carried(encoded(self._encoder, texts, None))

    def encode_query(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d), the encoder's vectors of queries."""
        return self._carried(encoded(self._encoder, texts, "query"))

    def encode_document(self, texts: Iterable[str]) -> np.ndarray:
        """(n, d), the encoder's vectors of documents."""
        return self._carried(encoded(self._encoder, texts, "document"))

    def _carried(self, vectors: np.ndarray) -> np.ndarray:
        import torch

        points = torch.from_numpy(vectors.astype(np.float32))
        with torch.inference_mode():
            return torch.cat([self.flow(part)[0] for part in points.split(ROWS)]).numpy()
