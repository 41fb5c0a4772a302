"""What a run is made from, as short hashes: a checkpoint only goes on with the same four things."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from twinset.training.recipe import Recipe

if TYPE_CHECKING:
    from twinset.training.corpus import Corpus
    from twinset.training.learner import Learner

Piece = bytes | np.ndarray


def fingerprint(learner: Learner, recipe: Recipe, seed: int) -> dict[str, str]:
    """Of a learner that has not learned yet: recipe, seed, data (tokens, labels, scores), encoder."""
    return hashes(
        {
            "recipe": [repr(recipe).encode()],
            "seed": [str(seed).encode()],
            "data": _of_corpus(learner.corpus),
            "encoder": _of_encoder(learner),
        }
    )


def hashes(parts: Mapping[str, Iterable[Piece]]) -> dict[str, str]:
    """A hash for each named part."""
    found: dict[str, str] = {}
    for name, pieces in parts.items():
        digest = hashlib.blake2b(digest_size=12)
        for piece in pieces:
            digest.update(piece if isinstance(piece, bytes) else np.ascontiguousarray(piece).data)
        found[name] = digest.hexdigest()
    return found


def _of_corpus(corpus: Corpus) -> Iterator[Piece]:
    for column in corpus.columns:
        yield column.ids
        yield column.starts
    # Which texts are equal is seen before they are cut to the encoder's length.
    yield corpus.ids.numpy()
    for name, values in (("labels", corpus.labels), ("scores", corpus.scores)):
        if values is not None:
            yield name.encode()
            yield values.numpy()


def _of_encoder(learner: Learner) -> Iterator[Piece]:
    yield learner.own_pooling.encode()
    for name, value in learner.backbone.state_dict().items():
        yield name.encode()
        yield value.detach().cpu().numpy()
