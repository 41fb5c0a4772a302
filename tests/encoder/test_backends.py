from __future__ import annotations

import pytest

from tests.encoder.graphs import graph_folder
from tests.encoder.tiny import tiny_encoder
from twinset.encoder import Encoder
from twinset.encoder.backends import BACKENDS, GRAPH_FILES, start
from twinset.encoder.onnx_runtime import OnnxRunning
from twinset.encoder.openvino_runtime import OpenvinoRunning
from twinset.errors import RequestError


def test_each_backend_by_its_name() -> None:
    assert BACKENDS == ("torch", "onnx", "openvino")
    for backend, kind in (("onnx", OnnxRunning), ("openvino", OpenvinoRunning)):
        file = graph_folder(backend) / GRAPH_FILES[backend]
        assert isinstance(start(file, backend, precision="fp32", threads=1), kind)


def test_unknown_backend() -> None:
    with pytest.raises(RequestError, match="backend: 'onyx' is none of torch, onnx, openvino"):
        Encoder.from_pretrained("mini", backend="onyx")


def test_torch_opens_the_weights_beside_a_graph() -> None:
    encoder = Encoder.from_pretrained(graph_folder("onnx"), backend="torch")
    assert type(encoder.backbone.model) is type(tiny_encoder("bert").backbone.model)
