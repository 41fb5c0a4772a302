from __future__ import annotations

import numpy as np

from tests.baselines.stand_in import Table, drawn
from tests.encoder.tiny import tiny_encoder
from twinset.baselines import TfIdf
from twinset.baselines.roles import encoded, in_fp32

ENCODER = Table(drawn(3, 2))


def test_a_role_is_told_to_those_who_know_roles() -> None:
    plain = encoded(ENCODER, ["0", "2"], None)
    np.testing.assert_allclose(plain, ENCODER.vectors[[0, 2]])
    np.testing.assert_allclose(encoded(ENCODER, ["0", "2"], "query"), plain + 1)
    np.testing.assert_allclose(encoded(ENCODER, ["0", "2"], "document"), plain - 1)


def test_to_others_all_texts_are_alike() -> None:
    words = TfIdf(["one two"])
    np.testing.assert_array_equal(encoded(words, ["one"], "query"), encoded(words, ["one"], None))


def test_single_precision_where_it_can_be_chosen() -> None:
    low = in_fp32(tiny_encoder("bert").with_precision("bf16"))
    assert low.precision == "fp32"  # type: ignore[attr-defined]
    assert in_fp32(ENCODER) is ENCODER
