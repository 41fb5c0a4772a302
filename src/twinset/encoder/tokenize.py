"""Texts to token ids, a chunk at a time: ten million texts never are Python objects all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding
from transformers import PreTrainedTokenizerFast

from twinset.encoder.tokens import TokenStore
from twinset.errors import RequestError

CHUNK = 1_000
"""So few that Python's garbage collector need not walk through many thousands of lists of tokens: with 10,000
taking them over cost a tenth of the whole."""


def windows(texts: Iterable[str], size: int = CHUNK) -> Iterator[list[str]]:
    """The texts in lists of at most `size`, in order."""
    if isinstance(texts, str | bytes | Mapping):
        kind = type(texts).__name__
        raise RequestError(f"texts: a {kind} was given where a sequence of texts is expected")
    iterator = iter(texts)
    while window := list(islice(iterator, size)):
        yield window


def tokenize(
    texts: Iterable[str],
    tokenizer: PreTrainedTokenizerFast,
    *,
    max_length: int,
    prompt: str = "",
    first: int = 0,
) -> TokenStore:
    """Token ids with the model's special tokens; what is past `max_length` is cut, and counted.

    first: the number of the first text, for messages, where these are some of many.
    """
    ids: list[NDArray[np.int32]] = []
    lengths: list[NDArray[np.int64]] = []
    seen = truncated = 0
    for window in windows(texts):
        encodings = _encode(window, tokenizer, max_length, prompt, first=first + seen)
        rows = [encoding.ids or [something(tokenizer)] for encoding in encodings]
        seen += len(rows)
        truncated += sum(bool(encoding.overflowing) for encoding in encodings)
        lengths.append(np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)))
        ids.append(np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(lengths[-1].sum())))
    return TokenStore(
        ids=np.concatenate(ids) if ids else np.zeros(0, dtype=np.int32),
        starts=np.cumsum(np.concatenate([np.zeros(1, dtype=np.int64), *lengths])),
        pad_id=pad_id(tokenizer),
        truncated=truncated,
    )


def pad_id(tokenizer: PreTrainedTokenizerFast) -> int:
    """What stands where no token does."""
    return _id(tokenizer.pad_token_id) or 0


def _encode(
    window: Sequence[str], tokenizer: PreTrainedTokenizerFast, max_length: int, prompt: str, *, first: int
) -> list[Encoding]:
    backend = tokenizer.backend_tokenizer
    # Set at each call: the tokenizer is shared with whoever else uses it, and they may set their own.
    backend.enable_truncation(max_length, direction=tokenizer.truncation_side)
    backend.no_padding()
    given = [prompt + text for text in window] if prompt and _all_text(window) else window
    try:
        return backend.encode_batch_fast(given)
    except (TypeError, UnicodeEncodeError):
        # Something among them is no text, or is text that UTF-8 cannot hold: now a look at each is worth it.
        cleaned = [prompt + _clean(text, first + row) for row, text in enumerate(window)]
        return backend.encode_batch_fast(cleaned)
    finally:
        backend.no_truncation()


def _all_text(window: Sequence[object]) -> bool:
    return all(isinstance(text, str) for text in window)


def _clean(text: object, row: int) -> str:
    """The text with halves of surrogate pairs joined, and lone ones replaced by U+FFFD."""
    if not isinstance(text, str):
        raise RequestError(f"texts: item {row + 1} is {text!r} ({type(text).__name__}), not a text")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def something(tokenizer: PreTrainedTokenizerFast) -> int:
    """A token for the empty text of a tokenizer without special tokens: attention needs one to look at."""
    found = (_id(token) for token in (tokenizer.unk_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id))
    return next((token for token in found if token is not None), 0)


def _id(token: object) -> int | None:
    return token if isinstance(token, int) else None
