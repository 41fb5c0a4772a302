"""How many tokens go through the model at once; fewer by itself where memory runs out."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import final

import torch
from torch import Tensor

from twinset.encoder.chunks import cut
from twinset.errors import RequestError, WorkError

_log = logging.getLogger(__name__)
_NO_MEMORY = ("can't allocate memory", "not enough memory", "out of memory")


@final
class Budget:
    """Tokens at once, padding included. It halves when memory runs out, and stays so for what follows."""

    def __init__(self, tokens: int) -> None:
        if tokens < 1:
            raise RequestError(f"batch_tokens: {tokens} is less than one token")
        self.tokens = tokens

    def spend(self, lengths: Tensor, embed: Callable[[Tensor], Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """Embed texts of these lengths, chunk by chunk: the vectors, and whose they are."""
        parts: list[Tensor] = []
        rows: list[Tensor] = []
        waiting = deque(cut(lengths, self.tokens))
        while waiting:
            chunk = waiting[0]
            part = self._tried(embed, chunk)
            if part is None:
                self._shrink(lengths[chunk])
                left = torch.cat(list(waiting))
                waiting = deque(left[chosen] for chosen in cut(lengths[left], self.tokens))
                continue
            parts.append(part)
            rows.append(waiting.popleft())
        return parts, rows

    def _tried(self, embed: Callable[[Tensor], Tensor], chunk: Tensor) -> Tensor | None:
        try:
            return embed(chunk)
        except (RuntimeError, MemoryError) as error:
            # torch.OutOfMemoryError on an accelerator, a plain RuntimeError of the allocator elsewhere.
            told = str(error).lower()
            if not isinstance(error, MemoryError) and not any(word in told for word in _NO_MEMORY):
                raise
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()
        return None

    def _shrink(self, lengths: Tensor) -> None:
        longest = int(lengths.max())
        if len(lengths) == 1:
            raise WorkError(
                f"There is not enough memory for one text of {longest} tokens; a lower max_length needs less."
            )
        self.tokens = max(longest, min(self.tokens, len(lengths) * longest) // 2)
        _log.warning("memory ran out; from now on at most %d tokens go through at once", self.tokens)
