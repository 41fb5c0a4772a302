from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.encoder.graphs import graph_folder
from twinset.encoder import Encoder
from twinset.encoder.backends import GRAPH_FILES
from twinset.encoder.onnx_runtime import OnnxRunning
from twinset.errors import RequestError

FEED = {"input_ids": np.array([[5, 6, 7]]), "attention_mask": np.ones((1, 3), dtype=np.int64)}


def test_arrays_by_name() -> None:
    running = OnnxRunning(graph_folder("onnx", pooling="first_last") / GRAPH_FILES["onnx"], threads=1)
    assert running.inputs == {"input_ids", "attention_mask"}
    assert running.outputs == {"last_hidden_state", "hidden_states.1"}
    found = running(FEED)
    assert {name: array.shape for name, array in found.items()} == dict.fromkeys(running.outputs, (1, 3, 32))


def test_threads() -> None:
    running = OnnxRunning(graph_folder("onnx") / GRAPH_FILES["onnx"], threads=3)
    assert running._session.get_session_options().intra_op_num_threads == 3


def test_failures_are_not_told_twice(capfd: pytest.CaptureFixture[str]) -> None:
    running = OnnxRunning(graph_folder("onnx") / GRAPH_FILES["onnx"], threads=1)
    with pytest.raises(Exception, match="indices element out of data bounds"):
        running({**FEED, "input_ids": np.array([[5, 6, 10_000_000]])})
    assert capfd.readouterr().err == ""


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = graph_folder("onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(RequestError, match=r"needs ONNX Runtime, .* pip install 'twinset\[onnx\]'"):
        Encoder.from_pretrained(folder, backend="onnx")
