from __future__ import annotations

import numpy as np
import pytest

from tests.encoder.tiny import SENTENCES, tiny_encoder
from tests.evaluation.known_vectors import KnownPoolings, KnownVectors, angle
from twinset.data import Texts
from twinset.errors import RequestError
from twinset.evaluation import embedding
from twinset.evaluation.embedding import distinct, embed


def test_distinct_numbers_point_at_the_texts() -> None:
    columns = (Texts(["b", "a", "b"]), Texts(["c", "b", ""]), Texts([]), Texts(["a"]))
    texts, ids = distinct(columns)
    assert sorted(texts) == ["", "a", "b", "c"]
    assert [[texts[int(i)] for i in numbers] for numbers in ids] == [list(column) for column in columns]


def test_chunks_keep_the_order_and_tell_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "CHUNK", 3)
    told: list[tuple[int, int]] = []
    texts = Texts([str(number) for number in range(8)])
    vectors = embed(KnownVectors(), texts, progress=lambda done, total: told.append((done, total)))
    assert told == [(3, 8), (6, 8), (8, 8)]
    assert vectors.keys() == {"own"}
    np.testing.assert_allclose(vectors["own"], [angle(text) for text in texts], atol=1e-7)


def test_every_pooling_comes_from_one_pass() -> None:
    encoder = KnownPoolings()
    vectors = embed(encoder, Texts(["1", "2"]), ("cls", "mean", "cls"))
    assert list(vectors) == ["cls", "mean"]
    assert encoder.asked == [("cls", "mean")]
    assert encoder.seen == ["1", "2"]


def test_without_names_the_own_pooling_is_used() -> None:
    encoder = KnownPoolings()
    assert list(embed(encoder, Texts(["1"]))) == ["mean"]
    assert encoder.asked == []


def test_requests_that_cannot_be() -> None:
    with pytest.raises(RequestError, match="KnownVectors has one way to make a vector; leave poolings out"):
        embed(KnownVectors(), Texts(["1"]), ("mean",))
    with pytest.raises(RequestError, match="the list is empty"):
        embed(KnownPoolings(), Texts(["1"]), ())


def test_vectors_of_another_number_are_refused() -> None:
    class Short(KnownVectors):
        def encode(self, texts: Texts, /) -> np.ndarray:
            return super().encode(texts)[:-1]

    with pytest.raises(RequestError, match=r"Short.encode gave an array of shape \(1, 2\) for 2 texts"):
        embed(Short(), Texts(["1", "2"]))


def test_scores_are_taken_in_single_precision() -> None:
    encoder, texts = tiny_encoder("bert"), Texts(SENTENCES)
    (exact,) = embed(encoder, texts).values()
    (found,) = embed(encoder.with_precision("bf16"), texts).values()
    assert np.abs(encoder.with_precision("bf16").encode(texts) - exact).max() > 1e-4
    np.testing.assert_array_equal(found, exact)
