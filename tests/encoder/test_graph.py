from __future__ import annotations

import io
import json
import pickle
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from tests.encoder.graphs import GRAPHS, graph_folder, opened
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder import Encoder
from twinset.encoder import graph as module
from twinset.encoder.backends import GRAPH_FILES
from twinset.encoder.encode import Pass
from twinset.encoder.graph import LAST, Graph, facts_of, name_of, open_graph
from twinset.encoder.worker import serve
from twinset.errors import ModelError, RequestError, WorkError
from twinset.types import Look

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

TEXTS = [*SENTENCES, "", "word " * 300]


def look_at(encoder: Encoder, *texts: str) -> Look:
    return Look(tokens=encoder.tokenize(texts).take(torch.arange(len(texts))))


def graph_of(backend: str) -> Graph:
    """One of its own, to be changed."""
    return Encoder.from_pretrained(graph_folder(backend), backend=backend).backbone.model


class Stub:
    """A runtime that gives what it is told to."""

    inputs = frozenset({"input_ids", "attention_mask"})
    outputs = frozenset({LAST})

    def __init__(self, answer: object) -> None:
        self.answer, self.fed = answer, {}

    def __call__(self, feed: Mapping[str, NDArray[np.int64]], /) -> Mapping[str, object]:
        self.fed = feed
        if isinstance(self.answer, Exception):
            raise self.answer
        return {LAST: self.answer}


def stubbed(monkeypatch: pytest.MonkeyPatch, answer: object) -> tuple[Graph, Stub]:
    stub, graph = Stub(answer), graph_of("onnx")
    monkeypatch.setattr(module, "start", lambda *_place, **_settings: stub)
    graph._running = None
    return graph, stub


@pytest.mark.parametrize("backend", GRAPHS)
def test_states_are_those_of_the_model(backend: str) -> None:
    encoder = tiny_encoder("bert", pooling="first_last")
    graph = open_graph(graph_folder(backend, pooling="first_last"), backend, encoder.backbone.model.config)
    look = look_at(encoder, "a cat", "the dog runs in the park, as it says")
    with torch.no_grad():
        expected = encoder.backbone.eval().hidden_states(look, layers=(1, -1))
    given = graph(look, layers=(1, -1))
    assert len(given) == len(expected) == 4
    for layer in (1, -1):
        real = look.tokens.mask
        torch.testing.assert_close(given[layer][real], expected[layer][real], atol=1e-5, rtol=0)
    assert not torch.allclose(given[1], given[-1], atol=0.1)


def test_names_of_layers() -> None:
    assert [name_of(layer, 3) for layer in (0, 1, -2, 3, -1)] == [
        "hidden_states.0",
        "hidden_states.1",
        "hidden_states.2",
        LAST,
        LAST,
    ]


@pytest.mark.parametrize("backend", GRAPHS)
def test_a_layer_that_is_not_there(backend: str) -> None:
    with pytest.raises(RequestError, match=r"gives no hidden_states\.1, which this pooling reads; write the"):
        opened(backend).with_pooling("first_last").encode("a cat")


def test_views_cannot_act() -> None:
    look = look_at(opened("onnx"), "a cat")
    masked = replace(look, keep_tokens=look.tokens.mask)
    with pytest.raises(RequestError, match="views cannot act on a graph; open the model with"):
        opened("onnx").backbone(masked)


def test_it_cannot_be_trained() -> None:
    backbone = opened("onnx").backbone
    with pytest.raises(RequestError, match="a graph cannot be trained"):
        backbone.train()
    assert not backbone.eval().training


def test_it_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"model\.onnx: a graph has no weights to save; open the model"):
        opened("onnx").save_pretrained(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("backend", GRAPHS)
def test_it_stays_on_the_processor(backend: str) -> None:
    encoder = Encoder.from_pretrained(graph_folder(backend), backend=backend)
    assert encoder.device.type == "cpu"
    assert encoder.to("cpu") is encoder
    with pytest.raises(RequestError, match="a graph runs on the processor, not on meta"):
        encoder.to("meta")


def test_it_stays_in_its_format() -> None:
    encoder = Encoder.from_pretrained(graph_folder("onnx"), backend="onnx")
    before = encoder.encode(SENTENCES)
    encoder.backbone.half()
    assert encoder.backbone.weights_format == torch.float32
    np.testing.assert_array_equal(encoder.encode(SENTENCES), before)


@pytest.mark.parametrize("backend", GRAPHS)
def test_copies_and_pickles_are_started_anew(backend: str) -> None:
    encoder = opened(backend)
    vectors = encoder.encode(TEXTS)
    graph = encoder.backbone.model
    assert graph._running is not None
    again = pickle.loads(pickle.dumps(graph))  # noqa: S301
    assert again._running is None
    copied = encoder.copy()
    assert copied.backbone.model is not graph
    np.testing.assert_array_equal(copied.encode(TEXTS), vectors)


@pytest.mark.parametrize("backend", GRAPHS)
def test_it_works_in_other_processes(backend: str) -> None:
    encoder, threads = opened(backend), torch.get_num_threads()
    run = Pass(backbone=encoder.backbone, tokenizer=encoder.tokenizer, max_length=encoder.max_length)
    source, target = io.BytesIO(pickle.dumps((run, "cpu", 1)) + pickle.dumps(list(SENTENCES))), io.BytesIO()
    try:
        serve(source, target)
    finally:
        torch.set_num_threads(threads)
    target.seek(0)
    vectors = pickle.load(target)[0]  # noqa: S301
    np.testing.assert_array_equal(vectors, encoder.encode(SENTENCES))


def test_started_again_for_other_threads_and_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder.from_pretrained(graph_folder("openvino"), backend="openvino")
    graph, started = encoder.backbone.model, []
    real_start = module.start

    def start(*place: object, **settings: object) -> object:
        started.append(tuple(settings.values()))
        return real_start(*place, **settings)

    monkeypatch.setattr(module, "start", start)
    graph._running = None
    for precision in ("fp32", "fp32", "bf16", "fp32"):
        encoder.encode(["a cat"], precision=precision)
    threads = torch.get_num_threads()
    assert started == [("fp32", threads), ("bf16", threads), ("fp32", threads)]
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads + 1)
    encoder.encode(["a cat"], precision="fp32")
    assert started[3:] == [("fp32", threads + 1)]


def test_onnx_has_fp32_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinset.encoder.precision._cpu_has_bf16", lambda: True)
    encoder = opened("onnx")
    np.testing.assert_array_equal(
        encoder.encode(["a cat"], precision="auto"), encoder.encode(["a cat"], precision="fp32")
    )
    with pytest.raises(RequestError, match="'bf16' cannot be had: this backend computes in fp32"):
        encoder.encode(["a cat"], precision="bf16")


@pytest.mark.parametrize("told", ["bad_alloc", "Failed to allocate memory for requested buffer of size 5"])
def test_memory_that_runs_out_is_said_as_python_says_it(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    graph, _ = stubbed(monkeypatch, ValueError(told))
    with pytest.raises(MemoryError):
        graph(look_at(opened("onnx"), "a cat"))


def test_numbers_of_an_earlier_call_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenVINO gives them when memory runs out."""
    graph, _ = stubbed(monkeypatch, np.zeros((1, 3, 32), dtype=np.float32))
    with pytest.raises(MemoryError, match=r"numbers of \(1, 3, 32\) for texts of \(2, \d+\)"):
        graph(look_at(opened("onnx"), "a cat", "a dog in the park"))
    assert graph._running is None


def test_smaller_batches_where_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder.from_pretrained(graph_folder("onnx"), backend="onnx")
    expected = encoder.encode(TEXTS)
    real_start = module.start

    class Small:
        def __init__(self, running: object) -> None:
            self.running, self.inputs, self.outputs = running, running.inputs, running.outputs

        def __call__(self, feed: Mapping[str, NDArray[np.int64]], /) -> object:
            if feed["input_ids"].size > 150:
                raise RuntimeError("std::bad_alloc")
            return self.running(feed)

    monkeypatch.setattr(module, "start", lambda *place, **settings: Small(real_start(*place, **settings)))
    encoder.backbone.model._running = None
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-6)


def test_other_failures_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, _ = stubbed(monkeypatch, RuntimeError("Node 'Gather' went wrong\nat such a place"))
    with pytest.raises(WorkError, match=r"model\.onnx: the graph failed: Node 'Gather' went wrong$"):
        graph(look_at(opened("onnx"), "a cat"))


def test_a_failure_without_a_word_is_told_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, _ = stubbed(monkeypatch, ZeroDivisionError())
    with pytest.raises(WorkError, match=r"the graph failed: ZeroDivisionError$"):
        graph(look_at(opened("onnx"), "a cat"))


def test_segments_where_a_graph_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    look = look_at(opened("onnx"), "a cat", "a dog in the park")
    shape = look.tokens.input_ids.shape
    graph, stub = stubbed(monkeypatch, np.zeros((*shape, 32), dtype=np.float32))
    graph(look)
    assert set(stub.fed) == {"input_ids", "attention_mask"}
    stub.inputs = frozenset({"input_ids", "attention_mask", "token_type_ids"})
    graph(look)
    assert stub.fed["token_type_ids"].tolist() == np.zeros(shape).tolist()
    assert stub.fed["attention_mask"].sum(axis=1).tolist() == look.tokens.lengths.tolist()
    assert {array.dtype for array in stub.fed.values()} == {np.dtype(np.int64)}


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        ({"input_ids", "position_ids"}, {LAST}, "wants position_ids, which twinset does not give"),
        ({"input_ids"}, {"logits"}, "gives logits; last_hidden_state is needed"),
        ({"input_ids"}, set(), "gives nothing by name; last_hidden_state is needed"),
    ],
)
def test_graphs_of_another_kind(
    monkeypatch: pytest.MonkeyPatch, inputs: set[str], outputs: set[str], message: str
) -> None:
    stub = Stub(None)
    stub.inputs, stub.outputs = frozenset(inputs), frozenset(outputs)
    monkeypatch.setattr(module, "start", lambda *_place, **_settings: stub)
    with pytest.raises(ModelError, match=message):
        graph_of("onnx")


@pytest.mark.parametrize("backend", GRAPHS)
def test_no_graph_in_the_folder(tmp_path: Path, backend: str) -> None:
    tiny_encoder("bert").save_pretrained(tmp_path / "model")
    with pytest.raises(ModelError, match=f"has no {GRAPH_FILES[backend]}; this .* --to {backend}"):
        Encoder.from_pretrained(tmp_path / "model", backend=backend)


@pytest.mark.parametrize("backend", GRAPHS)
def test_broken_graph(tmp_path: Path, backend: str) -> None:
    folder = shutil.copytree(graph_folder(backend), tmp_path / "model")
    (folder / GRAPH_FILES[backend]).write_bytes(b"no graph")
    with pytest.raises(
        ModelError, match=r"openvino_model\.xml: OpenVINO cannot|model\.onnx: ONNX Runtime cannot"
    ):
        Encoder.from_pretrained(folder, backend=backend)


def test_config_that_fits_no_model(tmp_path: Path) -> None:
    folder = shutil.copytree(graph_folder("onnx"), tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_attention_heads": 5}))
    with pytest.raises(ModelError, match=r"config\.json: no model can be made of it: .*attention heads"):
        Encoder.from_pretrained(folder, backend="onnx")


def test_facts() -> None:
    facts = opened("onnx").facts
    plain = tiny_encoder("bert")
    assert facts["architecture"] == "BertModel as a graph (onnx)"
    assert facts["parameters"] == plain.facts["parameters"] == facts_of(plain.backbone.model)["parameters"]
    assert facts["longest text"] == "128 tokens"
    assert "as a graph (onnx)" in repr(opened("onnx"))
