"""Tokenised texts, kept flat: one array of ids and where each text begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from twinset.types import Tokens


@dataclass(frozen=True, kw_only=True)
class TokenStore:
    """n texts as token ids. ids: all of them end to end (int32); starts (n + 1,): text i is
    ids[starts[i]:starts[i+1]]. truncated: how many texts were cut to the encoder's length."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    pad_id: int
    truncated: int = 0

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    def take(self, rows: Tensor | NDArray[np.int64]) -> Tokens:
        """These texts, padded on the right to the longest of them."""
        rows = np.asarray(rows, dtype=np.int64)
        begins = self.starts[rows]
        lengths = self.starts[rows + 1] - begins  # not `self.lengths`: those of all texts, at every step
        real = np.arange(int(lengths.max(initial=1))) < lengths[:, None]
        padded = np.full(real.shape, self.pad_id, dtype=np.int64)
        ends = np.cumsum(lengths)
        places = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(begins - (ends - lengths), lengths)
        padded[real] = self.ids[places]
        return Tokens(input_ids=torch.from_numpy(padded), lengths=torch.from_numpy(lengths))
