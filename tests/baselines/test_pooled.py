from __future__ import annotations

import numpy as np
import pytest

from tests.baselines.stand_in import Table, drawn
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.baselines import Pooled, TfIdf, pooled
from twinset.encoder import POOLINGS
from twinset.errors import RequestError

POINTS = drawn(6, 3)


def test_every_pooling_is_a_system_of_its_own() -> None:
    encoder = tiny_encoder("bert")
    systems = pooled(encoder)
    assert [system.name for system in systems] == [f"tiny-bert, {name}" for name in POOLINGS]
    for system in systems:
        expected = encoder.with_pooling(system.pooling).encode(SENTENCES)
        np.testing.assert_allclose(system.encode(SENTENCES), expected, atol=1e-6)


def test_texts_are_encoded_once_for_all_poolings_and_remembered() -> None:
    encoder = Table(POINTS, scales={"cls": 2, "max": 3})
    cls, maximum = pooled(encoder, ("cls", "max"), texts=["1", "0", "1", "4"])
    assert encoder.passes == [(["1", "0", "4"], None)]
    assert cls.encode(["4", "0"]).tolist() == (2 * POINTS[[4, 0]]).tolist()
    assert maximum.encode(["1"]).tolist() == (3 * POINTS[[1]]).tolist()
    assert len(encoder.passes) == 1


def test_texts_that_are_not_remembered_are_encoded() -> None:
    encoder = Table(POINTS, scales={"cls": 2})
    (cls,) = pooled(encoder, ("cls",), texts=["0", "1"])
    assert cls.encode(["1", "5"]).tolist() == (2 * POINTS[[1, 5]]).tolist()
    assert cls.encode([]).shape == (0, 3)


def test_roles_reach_the_encoder() -> None:
    (system,) = pooled(Table(POINTS), ("mean",), texts=["0"])
    np.testing.assert_allclose(system.encode_query(["0"]), POINTS[:1] + 1)
    np.testing.assert_allclose(system.encode_document(["0"]), POINTS[:1] - 1)


def test_single_precision_whatever_the_encoder_computes_in() -> None:
    encoder = tiny_encoder("bert").with_precision("bf16")
    found = Pooled(encoder, "mean").encode(SENTENCES)
    np.testing.assert_array_equal(found, encoder.with_precision("fp32").encode(SENTENCES))


def test_what_cannot_pool_is_refused() -> None:
    for make in (lambda: pooled(TfIdf(["one two"])), lambda: pooled(TfIdf(["one two"]), texts=["one"])):
        with pytest.raises(RequestError, match="TfIdf has one way to make a vector"):
            make()
