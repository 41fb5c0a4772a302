"""The data as a run sees it: every column tokenised once, in memory or, where it is large, on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from twinset.data import Dataset, text_ids
from twinset.encoder.cache_folder import cache_folder
from twinset.encoder.column import Column
from twinset.encoder.progress import shown
from twinset.encoder.token_cache import TokenCache
from twinset.encoder.tokens import TokenStore
from twinset.errors import RecipeError, RequestError
from twinset.training.record import AUTO, OFF
from twinset.types import Batch

if TYPE_CHECKING:
    from twinset.encoder import Encoder

LARGE = 100_000
"""Texts of a column that is worth keeping, and worth a progress bar: fewer are tokenised in seconds."""


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """The data as a run sees it: every column tokenised once."""

    columns: tuple[TokenStore, ...]
    ids: Tensor
    labels: Tensor | None
    scores: Tensor | None

    def __len__(self) -> int:
        return self.ids.shape[1]

    @property
    def truncated(self) -> int:
        return sum(column.truncated for column in self.columns)

    def take(self, rows: Tensor) -> Batch:
        return Batch(
            columns=tuple(column.take(rows) for column in self.columns),
            ids=self.ids[:, rows],
            rows=rows,
            labels=None if self.labels is None else self.labels[rows],
            scores=None if self.scores is None else self.scores[rows],
        )


def tokenised(
    encoder: Encoder, data: Dataset, max_length: int | None, *, cache: str = OFF, progress: bool = False
) -> Corpus:
    """Tokenise every column, with the prompt of its role, cut to `max_length` where the encoder sees more.

    cache: where tokens are kept; see `Recording.token_cache`.
    """
    length = _length(encoder, max_length)
    columns = [
        Column(texts=texts, tokenizer=encoder.tokenizer, max_length=length, prompt=encoder.prompts.of(role))
        for texts, role in zip(data.columns, data.roles, strict=True)
    ]
    stores = tuple(_tokens(column, _folder(cache, column), progress=progress) for column in columns)
    ids = torch.stack([torch.as_tensor(found) for found in text_ids(*data.columns)])
    # Copies: the data's own arrays may not be written to, and torch warns of that.
    labels = None if data.labels is None else torch.tensor(data.labels)
    scores = None if data.scores is None else torch.tensor(data.scores)
    return Corpus(columns=stores, ids=ids, labels=labels, scores=scores)


def _length(encoder: Encoder, max_length: int | None) -> int:
    if max_length is None:
        return encoder.max_length
    least = encoder.tokenizer.num_special_tokens_to_add() + 1
    if max_length < least:
        raise RecipeError(f"max_length: {max_length} leaves no room for a text; give at least {least}")
    return min(encoder.max_length, max_length)


def _tokens(column: Column, folder: Path | None, *, progress: bool) -> TokenStore:
    if folder is not None:
        return TokenCache(folder=folder, progress=progress).tokens(column)
    long = len(column.texts) >= LARGE
    return column.tokenized(shown(column.texts, progress=progress and long, what="tokenising"))


def _folder(cache: str, column: Column) -> Path | None:
    """Where this column's tokens are kept; None: nowhere."""
    if cache == AUTO:
        usual = cache_folder() if len(column.texts) >= LARGE else None
        return None if usual is None else usual / "tokens"
    return None if cache == OFF else _made_folder(cache)


def _made_folder(name: str) -> Path:
    """The folder that someone named: unlike the usual one, it has to do."""
    folder = Path(name).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(
            f"recording.token_cache: {folder} cannot be a folder: {error.strerror}; name another, or 'off'"
        ) from error
    return folder
