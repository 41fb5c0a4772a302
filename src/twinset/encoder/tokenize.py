"""Texts to token ids, a chunk at a time: ten million texts never are Python objects all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding
from transformers import PreTrainedTokenizerFast

from twinset.encoder.tokens import TokenStore
from twinset.errors import RequestError

CHUNK = 10_000


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
    lengths: list[int] = []
    truncated = 0
    for window in windows(texts):
        encodings = _encode(window, tokenizer, max_length, prompt, first=first + len(lengths))
        rows = [encoding.ids or [_something(tokenizer)] for encoding in encodings]
        truncated += sum(bool(encoding.overflowing) for encoding in encodings)
        lengths.extend(len(row) for row in rows)
        ids.append(np.fromiter((token for row in rows for token in row), dtype=np.int32))
    return TokenStore(
        ids=np.concatenate(ids) if ids else np.zeros(0, dtype=np.int32),
        starts=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
        pad_id=_id(tokenizer.pad_token_id) or 0,
        truncated=truncated,
    )


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


def _something(tokenizer: PreTrainedTokenizerFast) -> int:
    """A token for the empty text of a tokenizer without special tokens: attention needs one to look at."""
    found = (_id(token) for token in (tokenizer.unk_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id))
    return next((token for token in found if token is not None), 0)


def _id(token: object) -> int | None:
    return token if isinstance(token, int) else None
