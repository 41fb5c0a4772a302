"""An encoder's own word vectors: its input embedding table, before position, order and attention.

A word is a sub-word of its tokenizer; or, with `whole`, a word as the tokenizer sees it, whose vector is the
mean of its sub-words', so that a word in five pieces counts once. Special and unknown tokens are left out.
Texts are not cut: nothing here has a greatest length.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast, final

import numpy as np

from twinset.baselines.word_average import Split
from twinset.data.texts import Texts
from twinset.errors import RequestError

if TYPE_CHECKING:
    from tokenizers import Encoding

    from twinset.encoder import Encoder


@final
class InputWords:
    """The table of an encoder; a word is the tuple of its token ids."""

    def __init__(self, encoder: Encoder, *, whole: bool = False) -> None:
        model = cast("Any", encoder.backbone.model)
        if not hasattr(model, "get_input_embeddings"):
            raise RequestError(f"{encoder.name}: has no input embeddings to show; use backend torch")
        self._table: np.ndarray = model.get_input_embeddings().weight.detach().float().cpu().numpy()
        self._tokenizer = encoder.tokenizer
        self._special = frozenset(encoder.tokenizer.all_special_ids)
        self._unknown = encoder.tokenizer.unk_token_id
        self._whole = whole
        self.name = f"static {'words' if whole else 'sub-words'} of {encoder.name}"

    @property
    def dimension(self) -> int:
        """The table's width, which is not the encoder's in every architecture."""
        return self._table.shape[1]

    def split(self, texts: Texts) -> Split:
        """Each text's words."""
        backend = self._tokenizer.backend_tokenizer
        backend.no_truncation()
        backend.no_padding()
        words: list[Sequence[Hashable]] = []
        unknown = 0
        for encoding in backend.encode_batch(list(texts), add_special_tokens=False):
            found = self._words(encoding)
            known = [word for word in found if self._special.isdisjoint(word)]
            unknown += sum(self._unknown in word for word in found)
            words.append(known)
        return Split(words=words, unknown=unknown)

    def vectors(self, words: Sequence[tuple[int, ...]]) -> np.ndarray:
        """(n, d): of each word the mean of its tokens."""
        found = np.zeros((len(words), self.dimension), dtype=np.float32)
        for row, ids in enumerate(words):
            found[row] = self._table[list(ids)].mean(axis=0)
        return found

    def _words(self, encoding: Encoding) -> list[tuple[int, ...]]:
        if not self._whole:
            return [(token,) for token in encoding.ids]
        numbered = zip(encoding.word_ids, encoding.ids, strict=True)
        words = groupby(numbered, key=lambda each: each[0])
        return [tuple(token for _, token in tokens) for _, tokens in words]
