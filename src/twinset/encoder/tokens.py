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
        begins, lengths = self.starts[rows], self.lengths[rows]
        longest = int(lengths.max(initial=1))
        steps = np.arange(longest)
        real = steps < lengths[:, None]
        places = np.where(real, begins[:, None] + steps, 0)
        padded = np.where(real, self.ids[places] if len(self.ids) else 0, self.pad_id).astype(np.int64)
        return Tokens(input_ids=torch.from_numpy(padded), lengths=torch.from_numpy(lengths.copy()))
