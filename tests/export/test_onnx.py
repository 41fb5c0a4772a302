from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.encoder.graphs import graph_folder
from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from twinset.encoder import Encoder
from twinset.errors import RequestError
from twinset.export import onnx as module
from twinset.export import to_onnx

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [*SENTENCES, "", "中文 😀", "word " * 300]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_vectors_are_those_of_torch(architecture: str) -> None:
    encoder = tiny_encoder(architecture, pooling="first_last")
    folder = graph_folder("onnx", architecture, "first_last")
    again = Encoder.from_pretrained(folder, backend="onnx")
    assert (again.pooling, again.max_length) == ("first_last", 128)
    np.testing.assert_allclose(again.encode(TEXTS), encoder.encode(TEXTS), atol=1e-5)
    plain = again.with_pooling("cls").encode(TEXTS)
    np.testing.assert_allclose(plain, encoder.with_pooling("cls").encode(TEXTS), atol=1e-5)


def test_axes_are_free_and_named() -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(graph_folder("onnx") / "onnx/model.onnx"))
    shapes = {place.name: place.shape for place in (*session.get_inputs(), *session.get_outputs())}
    assert shapes == {
        "input_ids": ["batch", "length"],
        "attention_mask": ["batch", "length"],
        "last_hidden_state": ["batch", "length", 32],
    }


def test_what_is_missing_is_said_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "onnx" else find(name))
    with pytest.raises(RequestError, match=r"needs onnx, .*pip install 'twinset\[onnx\]'"):
        to_onnx(tiny_encoder("bert"), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
