from __future__ import annotations

import numpy as np
import pytest

from tests.encoder.graphs import graph_folder
from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from twinset.encoder import Encoder
from twinset.encoder.openvino_runtime import load_openvino

TEXTS = [*SENTENCES, "", "中文 😀", "word " * 300]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_vectors_are_those_of_torch(architecture: str) -> None:
    encoder = tiny_encoder(architecture, pooling="first_last")
    folder = graph_folder("openvino", architecture, "first_last")
    again = Encoder.from_pretrained(folder, backend="openvino")
    assert (again.pooling, again.max_length) == ("first_last", 128)
    np.testing.assert_allclose(again.encode(TEXTS), encoder.encode(TEXTS), atol=1e-5)
    plain = again.with_pooling("cls").encode(TEXTS)
    np.testing.assert_allclose(plain, encoder.with_pooling("cls").encode(TEXTS), atol=1e-5)


def test_axes_are_free() -> None:
    graph = load_openvino().Core().read_model(str(graph_folder("openvino") / "openvino/openvino_model.xml"))
    shapes = {port.get_any_name(): str(port.partial_shape) for port in (*graph.inputs, *graph.outputs)}
    assert shapes == {
        "input_ids": "[?,?]",
        "attention_mask": "[?,?]",
        "last_hidden_state": "[?,?,32]",
    }


def test_weights_are_stored_as_fp32() -> None:
    told = (graph_folder("openvino") / "openvino/openvino_model.xml").read_text()
    assert "f32" in told
    assert "f16" not in told
