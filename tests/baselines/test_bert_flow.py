from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.baselines.stand_in import Table, drawn
from twinset.baselines import BertFlow, FlowSettings, bert_flow
from twinset.errors import RequestError

SMALL = FlowSettings(levels=2, depth=1, width=8, batch_size=16)
ENCODER = Table(drawn(60, 6))


def test_vectors_go_through_a_flow_fitted_to_each_distinct_text_once() -> None:
    system = BertFlow(ENCODER, [*ENCODER.texts, "0", "0"], settings=SMALL)
    expected, _ = system.flow(torch.from_numpy(ENCODER.vectors))
    np.testing.assert_allclose(system.encode(ENCODER.texts), expected.numpy(), atol=1e-6)
    again = BertFlow(ENCODER, ENCODER.texts, settings=SMALL)
    np.testing.assert_array_equal(system.encode(ENCODER.texts), again.encode(ENCODER.texts))


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    system = BertFlow(ENCODER, ENCODER.texts, settings=SMALL)
    whole = system.encode(ENCODER.texts)
    monkeypatch.setattr(bert_flow, "ROWS", 7)
    np.testing.assert_allclose(system.encode(ENCODER.texts), whole, atol=1e-6)


def test_vectors_of_the_fitted_texts_come_near_a_gaussian() -> None:
    found = BertFlow(ENCODER, ENCODER.texts, settings=SMALL).encode(ENCODER.texts)
    assert np.abs(found.mean(axis=0)).max() < 0.5
    assert np.abs(found.std(axis=0) - 1).max() < 0.4


def test_roles_go_through_the_encoder() -> None:
    system = BertFlow(ENCODER, ENCODER.texts, settings=SMALL)
    for role, shift in ((system.encode_query, 1), (system.encode_document, -1)):
        expected, _ = system.flow(torch.from_numpy(ENCODER.vectors[:2] + shift))
        np.testing.assert_allclose(role(["0", "1"]), expected.numpy(), atol=1e-6)


def test_the_name_says_what_it_was_fitted_on() -> None:
    assert BertFlow(ENCODER, ENCODER.texts, settings=SMALL).name == "table, flow (fitted on 60 texts)"
    named = BertFlow(ENCODER, ENCODER.texts, settings=SMALL, fitted_on="the test")
    assert named.name == "table, flow (fitted on the test)"


def test_no_text_is_not_enough() -> None:
    with pytest.raises(RequestError, match=r"flow: 0 distinct text\(s\)"):
        BertFlow(ENCODER, [])
