"""The texts that are measured on: real sentences, alone or joined to a length."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from twinset.data import Folder, Texts
from twinset.encoder import Encoder

LONGEST_PIECE = 512
"""Tokens of a single sentence that is joined to others; a longer one is left out."""


def alone(data: Path, count: int | None = None) -> list[str]:
    """The 10,536 distinct sentences of STS-B train in the file's order, or so many from all over it."""
    first, second = Folder(data).scored_pairs("sts_en/stsb", split="train").columns
    found = list(Texts([*first, *second]).unique())
    if count is None:
        return found
    if not 0 < count <= len(found):
        raise SystemExit(f"{count} sentences were asked for; STS-B train has {len(found)}")
    return found[:: len(found) // count][:count]


def wiki(data: Path, count: int | None = None) -> list[str]:
    """Sentences of Wikipedia, in the file's order."""
    return list(Folder(data).sentences("text_en/wiki_sentences", limit=count).columns[0])


def joined(sentences: Sequence[str], tokens: int, count: int, encoder: Encoder) -> list[str]:
    """Texts of at most `tokens` tokens, each of as many sentences, one after another, as find room."""
    special = encoder.tokenizer.num_special_tokens_to_add()
    sizes = (encoder.tokenize(sentences).lengths - special).tolist()
    texts: list[str] = []
    open_text: list[str] = []
    room = tokens - special
    for sentence, size in zip(sentences, sizes, strict=True):
        if size > min(tokens - special, LONGEST_PIECE):
            continue
        if size > room:
            texts.append(" ".join(open_text))
            open_text, room = [], tokens - special
        open_text.append(sentence)
        room -= size
        if len(texts) == count:
            return texts
    raise SystemExit(f"{len(sentences)} sentences make only {len(texts)} of {count} texts")


def of_length(data: Path, tokens: int | None, count: int, encoder: Encoder) -> list[str]:
    """`count` texts: sentences alone (tokens: None), or joined up to so many tokens."""
    if tokens is None:
        return alone(data, count)
    return joined(wiki(data, count * (tokens // 12 + 2)), tokens, count, encoder)


def written(texts: Sequence[str], file: Path) -> str:
    """The texts in a file that a worker can read, and its name."""
    file.write_text(json.dumps(list(texts)), encoding="utf-8")
    return str(file)


def mean_tokens(texts: Sequence[str], encoder: Encoder) -> float:
    """Tokens of a text, special ones and all, after truncation."""
    return round(float(encoder.tokenize(texts).lengths.mean()), 1)
