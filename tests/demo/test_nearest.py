from __future__ import annotations

import numpy as np

from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.demo.nearest import Searched


def test_the_text_itself_is_nearest_and_scores_are_cosines() -> None:
    encoder = tiny_encoder("bert")
    searched = Searched(encoder, list(SENTENCES))
    hits = searched.nearest(SENTENCES[3], 4)
    assert (hits[0].row, hits[0].text) == (3, SENTENCES[3])
    vectors = encoder.encode(list(SENTENCES))
    expected = encoder.similarity(vectors[3], vectors)[0]
    np.testing.assert_allclose(searched.scores(SENTENCES[3]), expected, atol=1e-6)
    assert [hit.row for hit in hits] == np.argsort(-expected)[:4].tolist()


def test_fewer_than_asked_for() -> None:
    assert len(Searched(tiny_encoder("bert"), ["a", "b"]).nearest("a", 9)) == 2


def test_equals_keep_their_order() -> None:
    assert Searched(tiny_encoder("bert"), ["a cat", "a dog", "a cat"]).ranked("a cat").tolist()[:2] == [0, 2]
