"""A column of texts and how it becomes tokens; all that decides the token ids has one short name.

The name (`key`) is a hash of the tokenizer's own file, of how and where texts are cut, of the prompt, and of
every text: equal keys, equal tokens. Texts are hashed where they lie, in the buffers of their column: no
Python string is made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import tokenizers
from transformers import PreTrainedTokenizerFast

from twinset.data import Texts
from twinset.encoder.tokenize import pad_id, something, tokenize
from twinset.encoder.tokens import TokenStore

_AT_ONCE = 1 << 20  # lengths hashed at once


@dataclass(frozen=True, kw_only=True)
class Column:
    """Texts to be cut to `max_length` tokens, with `prompt` in front of each."""

    texts: Texts
    tokenizer: PreTrainedTokenizerFast
    max_length: int
    prompt: str = ""

    def tokenized(self, texts: Iterable[str] | None = None, *, first: int = 0) -> TokenStore:
        """The tokens of all texts, or of these some of them, which begin at number `first`."""
        given = self.texts if texts is None else texts
        return tokenize(given, self.tokenizer, max_length=self.max_length, prompt=self.prompt, first=first)

    @property
    def pad_id(self) -> int:
        """What stands where no token does."""
        return pad_id(self.tokenizer)

    def key(self) -> str:
        """32 hexadecimal digits."""
        facts = json.dumps(self._facts(), sort_keys=True).encode()
        digest = hashlib.sha256(hashlib.sha256(facts).digest())
        for piece in _pieces(self.texts):
            digest.update(piece)
        return digest.hexdigest()[:32]

    def _facts(self) -> dict[str, Any]:
        backend = self.tokenizer.backend_tokenizer
        # Cutting and padding are set at each call: what someone else has left there decides nothing.
        written = {**json.loads(backend.to_str()), "truncation": None, "padding": None}
        return {
            "tokenizer": written,
            "library": tokenizers.__version__,
            "special tokens are text": backend.encode_special_tokens,
            "side": self.tokenizer.truncation_side,
            "empty text": something(self.tokenizer),
            "max_length": self.max_length,
            "prompt": self.prompt,
        }


def _pieces(texts: Texts) -> Iterator[bytes | memoryview]:
    """Their number, their lengths in bytes, and their bytes."""
    yield len(texts).to_bytes(8, "little")
    if len(texts) == 0:
        return
    array = texts.arrow
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    for start in range(0, len(array), _AT_ONCE):
        yield np.diff(ends[start : start + _AT_ONCE + 1]).astype("<i8", copy=False).tobytes()
    if data is not None:
        yield memoryview(data)[int(ends[0]) : int(ends[-1])]
