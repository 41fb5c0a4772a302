from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.encoder.graphs import graph_folder, opened
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder import Encoder
from twinset.encoder.backends import GRAPH_FILES
from twinset.encoder.openvino_runtime import OpenvinoRunning, _core, load_openvino
from twinset.errors import RequestError

if TYPE_CHECKING:
    from pathlib import Path

FEED = {"input_ids": np.array([[5, 6, 7]]), "attention_mask": np.ones((1, 3), dtype=np.int64)}


def running(precision: str = "fp32", threads: int = 1) -> OpenvinoRunning:
    file = graph_folder("openvino", pooling="first_last") / GRAPH_FILES["openvino"]
    return OpenvinoRunning(file, precision=precision, threads=threads)


def test_arrays_by_name() -> None:
    graph = running()
    assert graph.inputs == {"input_ids", "attention_mask"}
    assert graph.outputs == {"last_hidden_state", "hidden_states.1"}
    found = graph(FEED)
    assert {name: array.shape for name, array in found.items()} == dict.fromkeys(graph.outputs, (1, 3, 32))


def test_what_was_given_stays_as_it_was() -> None:
    graph = running()
    first = graph(FEED)["last_hidden_state"]
    kept = first.copy()
    graph({**FEED, "input_ids": np.array([[9, 8, 7]])})
    np.testing.assert_array_equal(first, kept)


def test_settings() -> None:
    compiled = running(threads=1).compiled
    wanted = {
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": 1,
        "NUM_STREAMS": "1",
        "ENABLE_CPU_PINNING": False,
    }
    for name, value in wanted.items():
        found = compiled.get_property(name)
        assert (found.to_string() if name.endswith("HINT") else type(value)(found)) == value, name


def test_bf16_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    openvino, encoder = load_openvino(), opened("openvino").copy()
    asked: list[dict[str, object]] = []
    compile_model = openvino.Core.compile_model

    def watched(core: object, model: str, device: str, settings: dict[str, object]) -> object:
        asked.append(settings)
        return compile_model(core, model, device, settings)

    monkeypatch.setattr(openvino.Core, "compile_model", watched)
    vectors = encoder.encode(SENTENCES, precision="bf16")
    assert [settings["INFERENCE_PRECISION_HINT"] for settings in asked] == ["bf16"]
    np.testing.assert_allclose(vectors, tiny_encoder("bert").encode(SENTENCES), atol=0.1)


def test_no_telemetry(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from twinset.encoder.openvino_runtime import load_openvino\n"
        "load_openvino().Core()\n"
        "assert not any(name.startswith('openvino_telemetry') for name in sys.modules)\n"
        "import openvino_telemetry\n"
    )
    # In CI it sends nothing, whatever happens here.
    settings = {"CI": "true", "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", program], check=True, env=settings)
    assert list(tmp_path.iterdir()) == []


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = graph_folder("openvino")
    monkeypatch.setitem(sys.modules, "openvino", None)
    _core.cache_clear()
    with pytest.raises(RequestError, match=r"needs OpenVINO, .* pip install 'twinset\[openvino\]'"):
        Encoder.from_pretrained(folder, backend="openvino")


_INTERRUPTED = """
import gc, signal
from tests.encoder.test_openvino_runtime import running
first = running()
second = running("bf16")
del first
gc.collect()
del second
gc.collect()
signal.signal(signal.SIGINT, lambda *_: print("heard"))
signal.raise_signal(signal.SIGINT)
"""


def test_ctrl_c_after_graphs_have_come_and_gone() -> None:
    done = subprocess.run([sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "heard\n"), done.stderr
