from __future__ import annotations

import numpy as np
import pytest

from tests.encoder.tiny import SENTENCES, tiny_encoder
from tests.evaluation.judged_texts import KnownRoles
from tests.evaluation.known_vectors import KnownPoolings, KnownVectors, angle
from twinset.data import Texts
from twinset.encoder.prompts import Prompts
from twinset.errors import RequestError
from twinset.evaluation import Column, embedding
from twinset.evaluation.embedding import distinct, embed, embed_columns


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


def test_each_text_of_a_role_once_and_columns_in_their_order() -> None:
    encoder, told = KnownRoles(), list[tuple[int, int]]()
    columns = [
        Column(texts=Texts(["10", "20"]), role="document"),
        Column(texts=Texts(["10", "30"]), role="query"),
        Column(texts=Texts(["20", "10", "40"]), role="document"),
        Column(texts=Texts(["10"])),
    ]
    found = embed_columns(encoder, columns, progress=lambda done, total: told.append((done, total)))["own"]
    assert encoder.asked == [("document", ("10", "20", "40")), ("query", ("10", "30")), ("", ("10",))]
    assert told == [(3, 6), (5, 6), (6, 6)]
    turned = [["10", "20"], ["20", "40"], ["20", "10", "40"], ["10"]]
    for points, names in zip(found, turned, strict=True):
        np.testing.assert_allclose(points.rows(slice(None)), [angle(name) for name in names], atol=1e-6)


def test_an_encoder_without_roles_sees_a_text_once() -> None:
    encoder = KnownVectors()
    columns = [Column(texts=Texts(["10"]), role=role) for role in ("query", "document", None)]
    embed_columns(encoder, columns)
    assert encoder.seen == ["10"]


def test_prompts_of_an_encoder_go_by_role_under_every_pooling() -> None:
    encoder = tiny_encoder("bert")
    encoder.prompts = Prompts({"query": "the cat ", "document": "a dog "})
    columns = [Column(texts=Texts(SENTENCES), role=role) for role in ("query", "document", None)]
    for names in (None, ("cls", "mean")):
        found = embed_columns(encoder, columns, names)["mean"]
        for role, points in zip(("query", "document", None), found, strict=True):
            expected = encoder.encode(SENTENCES, role=role)
            np.testing.assert_allclose(points.rows(slice(None)), expected, atol=1e-5)
        assert np.abs(found[0].vectors - found[1].vectors).max() > 1e-2


def test_a_role_that_nobody_knows_is_refused() -> None:
    with pytest.raises(RequestError, match="role 'poet': texts are scored as query, as document"):
        embed_columns(KnownRoles(), [Column(texts=Texts(["1"]), role="poet")])


def test_scores_are_taken_in_single_precision() -> None:
    encoder, texts = tiny_encoder("bert"), Texts(SENTENCES)
    (exact,) = embed(encoder, texts).values()
    (found,) = embed(encoder.with_precision("bf16"), texts).values()
    assert np.abs(encoder.with_precision("bf16").encode(texts) - exact).max() > 1e-4
    np.testing.assert_array_equal(found, exact)
