"""The engine of `Encoder.encode`: windows of texts, sorted by length, cut by a token budget, put in order."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from twinset.encoder.allocator import keeping_memory
from twinset.encoder.backbone import Backbone
from twinset.encoder.budget import Budget
from twinset.encoder.evaluating import evaluating
from twinset.encoder.precision import Format, Precision, computing, resolve
from twinset.encoder.ready import WORTH_IT, made_ready
from twinset.encoder.tokenize import tokenize, windows
from twinset.encoder.tokens import TokenStore
from twinset.types import Look

WINDOW = 16_384
"""How many texts are sorted by length together, and in memory as objects at once."""

_BUDGET_CPU, _BUDGET_ACCELERATOR = 4_096, 65_536

_log = logging.getLogger(__name__)

Embed = Callable[[Backbone, Look], Tensor]
"""An encoder and a look at n texts to (n, ...): one vector each, or several."""


def forward(backbone: Backbone, look: Look) -> Tensor:
    """The encoder's own vectors."""
    return backbone(look)


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
        self.budget()
        self.format()

    @property
    def device(self) -> torch.device:
        return next(self.backbone.parameters()).device

    def blocks(self, texts: Iterable[str], embed: Embed = forward) -> Iterator[NDArray[np.float32]]:
        """Vectors window by window, in the texts' order. Warns once, at the end, of texts that were cut."""
        truncated = Truncated(self.max_length)
        budget = self.budget()
        for window in windows(texts, WINDOW):
            yield self.block(window, embed, budget, truncated)
        truncated.tell()

    def block(
        self, window: list[str], embed: Embed, budget: Budget, truncated: Truncated
    ) -> NDArray[np.float32]:
        """One window's vectors."""
        store = tokenize(
            window, self.tokenizer, max_length=self.max_length, prompt=self.prompt, first=truncated.seen
        )
        truncated.add(len(window), store.truncated)
        return self.vectors(store, embed, budget)

    def vectors(
        self, store: TokenStore, embed: Embed = forward, budget: Budget | None = None
    ) -> NDArray[np.float32]:
        """Vectors of texts that are tokens already, (n, ...), in their order."""
        device = self.device
        with self._ready(len(store.ids)) as backbone:

            def one(rows: Tensor) -> Tensor:
                return embed(backbone, Look(tokens=store.take(rows).to(device))).float()

            parts, rows = (budget or self.budget()).spend(torch.from_numpy(store.lengths), one)
            sorted_by_length = torch.cat(parts).cpu()
            vectors = torch.empty_like(sorted_by_length)
            vectors[torch.cat(rows)] = sorted_by_length
            return vectors.numpy()

    @contextmanager
    def _ready(self, tokens: int) -> Generator[Backbone]:
        """The encoder as it computes fastest: for many tokens, a copy that is laid out for them."""
        precision = self.format()
        with evaluating(self.backbone):
            ready = made_ready(self.backbone, precision) if tokens >= WORTH_IT else None
            if ready is not None:
                with keeping_memory():
                    yield ready
                return
            with computing(precision, self.device):
                yield self.backbone

    def format(self) -> Format:
        """What `auto` means for this encoder, here."""
        return resolve(self.precision, self.device, self.backbone.formats)

    def budget(self) -> Budget:
        """How much goes through at once, to begin with."""
        usual = _BUDGET_CPU if self.device.type == "cpu" else _BUDGET_ACCELERATOR
        return Budget(usual if self.batch_tokens is None else self.batch_tokens)


class Truncated:
    """Counts texts that were cut, over windows and processes."""

    def __init__(self, max_length: int) -> None:
        self.max_length, self.seen, self.cut = max_length, 0, 0

    def add(self, seen: int, cut: int) -> None:
        """So many more texts, of which so many were cut."""
        self.seen += seen
        self.cut += cut

    def tell(self) -> None:
        """One warning for all of them."""
        if self.cut:
            message = "%d of %d texts are longer than %d tokens and were cut"
            _log.warning(message, self.cut, self.seen, self.max_length)
