"""The engine of `Encoder.encode`: windows of texts, sorted by length, cut by a token budget, put in order."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from twinset.encoder.backbone import Backbone
from twinset.encoder.chunks import cut
from twinset.encoder.evaluating import evaluating
from twinset.encoder.precision import Precision, computing, resolve
from twinset.encoder.tokenize import tokenize, windows
from twinset.encoder.tokens import TokenStore
from twinset.errors import RequestError
from twinset.types import Look

WINDOW = 16_384
"""How many texts are sorted by length together, and in memory as objects at once."""

_BUDGET_CPU, _BUDGET_ACCELERATOR = 4_096, 65_536

_log = logging.getLogger(__name__)

Embed = Callable[[Look], Tensor]
"""A look at n texts to (n, ...): one vector each, or several."""


@dataclass(frozen=True, kw_only=True)
class Pass:
    """One pass of texts through an encoder: what goes in front, how much at once, in which format."""

    backbone: Backbone
    tokenizer: PreTrainedTokenizerFast
    max_length: int
    prompt: str = ""
    batch_tokens: int | None = None
    precision: Precision = "fp32"

    def __post_init__(self) -> None:
        if self.batch_tokens is not None and self.batch_tokens < 1:
            raise RequestError(f"batch_tokens: {self.batch_tokens} is less than one token")
        resolve(self.precision, self.device)

    @property
    def device(self) -> torch.device:
        return next(self.backbone.parameters()).device

    def blocks(self, texts: Iterable[str], embed: Embed) -> Iterator[NDArray[np.float32]]:
        """Vectors window by window, in the texts' order. Warns once, at the end, of texts that were cut."""
        seen = truncated = 0
        for window in windows(texts, WINDOW):
            store = tokenize(
                window, self.tokenizer, max_length=self.max_length, prompt=self.prompt, first=seen
            )
            seen += len(window)
            truncated += store.truncated
            yield self.vectors(store, embed)
        if truncated:
            message = "%d of %d texts are longer than %d tokens and were cut"
            _log.warning(message, truncated, seen, self.max_length)

    def vectors(self, store: TokenStore, embed: Embed) -> NDArray[np.float32]:
        """Vectors of texts that are tokens already, (n, ...), in their order."""
        device = self.device
        budget = self.batch_tokens or (_BUDGET_CPU if device.type == "cpu" else _BUDGET_ACCELERATOR)
        chunks = cut(torch.from_numpy(store.lengths), budget)
        with evaluating(self.backbone), computing(resolve(self.precision, device), device):
            parts = [embed(Look(tokens=store.take(rows).to(device))).float() for rows in chunks]
            sorted_by_length = torch.cat(parts).cpu()
            vectors = torch.empty_like(sorted_by_length)
            vectors[torch.cat(chunks)] = sorted_by_length
            return vectors.numpy()
