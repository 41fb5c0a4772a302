from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from tests.encoder.graphs import EXPORTS, GRAPHS, furnished
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder import Card, Encoder
from twinset.encoder.backends import GRAPH_FILES
from twinset.errors import RequestError, WorkError
from twinset.export import tracing
from twinset.export.tracing import States, example

if TYPE_CHECKING:
    from pathlib import Path

    from twinset.encoder import Pooling

TEXTS = [*SENTENCES, "", "中文 😀", "word " * 300]
BACKENDS = pytest.mark.parametrize("backend", GRAPHS)


@pytest.mark.parametrize(
    ("pooling", "names"),
    [
        ("max", ("last_hidden_state",)),
        ("static_last", ("last_hidden_state", "hidden_states.0")),
        ("last_two", ("last_hidden_state", "hidden_states.2")),
    ],
)
def test_outputs_are_what_the_pooling_reads(pooling: Pooling, names: tuple[str, ...]) -> None:
    encoder = tiny_encoder("bert", pooling=pooling)
    states, (ids, mask) = States(encoder), example(encoder)
    assert states.names == names
    with torch.no_grad():
        found = states(ids, mask)
        model = encoder.backbone.model.eval()
        right = model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
    for name, given in zip(names, found, strict=True):
        layer = -1 if name == "last_hidden_state" else int(name[-1])
        torch.testing.assert_close(given, right[layer])


def test_one_text_of_the_example_is_padded() -> None:
    _, mask = example(tiny_encoder("bert"))
    assert mask.sum(dim=1).min() < mask.shape[1] == mask.sum(dim=1).max()


@BACKENDS
def test_all_that_stands_around_a_transformer(tmp_path: Path, backend: str) -> None:
    encoder = furnished()
    EXPORTS[backend](encoder, tmp_path / "model", card=Card(data="12,000 tickets"))
    again = Encoder.from_pretrained(tmp_path / "model", backend=backend)
    assert (again.normalize, again.max_length, again.dimension) == (True, 40, 5)
    assert "12,000 tickets" in (tmp_path / "model/README.md").read_text()
    for settings in ({}, {"role": "query"}, {"prompt": "it says: "}, {"normalize": False}):
        np.testing.assert_allclose(
            again.encode(TEXTS, **settings), encoder.encode(TEXTS, **settings), atol=1e-5
        )
    assert np.abs(again.encode(TEXTS) - again.encode(TEXTS, role="query")).max() > 0.01


@BACKENDS
def test_the_encoder_is_left_as_it_was(tmp_path: Path, backend: str) -> None:
    encoder = tiny_encoder("bert")
    encoder.backbone.half()
    encoder.backbone.train()
    before = copy.deepcopy(encoder.backbone.state_dict())
    EXPORTS[backend](encoder, tmp_path / "model")
    assert encoder.backbone.training
    assert encoder.backbone.model.training
    after = encoder.backbone.state_dict()
    assert all(value.dtype == torch.float16 for value in after.values() if value.is_floating_point())
    assert all(torch.equal(after[name], value) for name, value in before.items())
    assert not any(key.startswith("forward") for key in vars(encoder.backbone.model))
    encoder.backbone.float()
    again = Encoder.from_pretrained(tmp_path / "model", backend=backend)
    np.testing.assert_allclose(again.encode(TEXTS), encoder.encode(TEXTS), atol=1e-5)


@BACKENDS
def test_a_graph_that_is_off_is_not_kept(
    tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def off(self: States, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return (found * 1.001,)

    monkeypatch.setattr(States, "forward", off)
    with pytest.raises(WorkError, match=rf"cannot be written for {backend}: the graph is off by 0\.1%"):
        EXPORTS[backend](tiny_encoder("bert"), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_numbers_that_are_none_are_not_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: States, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return (found * float("nan"),)

    monkeypatch.setattr(States, "forward", none)
    with pytest.raises(WorkError, match="the graph is off by nan"):
        EXPORTS["onnx"](tiny_encoder("bert"), tmp_path / "model")


def test_nor_one_that_fits_the_example_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A length that the tracer took for a constant."""

    def fixed(
        self: States, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        found = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return (found + (input_ids.shape[1] - len(input_ids[0].tolist())),)

    monkeypatch.setattr(States, "forward", fixed)
    with pytest.raises(WorkError, match="the graph is off"):
        EXPORTS["onnx"](tiny_encoder("bert"), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@BACKENDS
def test_what_cannot_be_traced_is_told_in_a_line(
    tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_inputs: object) -> tuple[torch.Tensor, ...]:
        raise ValueError("no operator for this\nand a long list")

    monkeypatch.setattr(States, "forward", fail)
    with pytest.raises(WorkError, match=r"BertModel could not be written as an .*: no operator") as told:
        EXPORTS[backend](tiny_encoder("bert"), tmp_path / "model")
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


@BACKENDS
def test_a_full_disk_is_told_as_one(tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_settings: object) -> None:
        raise OSError(28, os.strerror(28))

    encoder = tiny_encoder("bert")
    encoder.save_pretrained(tmp_path / "model", card=Card(data="the old one"))
    monkeypatch.setattr(f"twinset.export.{backend}.try_out", full)
    with pytest.raises(WorkError, match="model: could not be written: No space left on device"):
        EXPORTS[backend](encoder, tmp_path / "model", overwrite=True)
    assert "the old one" in (tmp_path / "model/README.md").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@BACKENDS
def test_a_folder_is_kept_unless_asked(tmp_path: Path, backend: str) -> None:
    encoder = tiny_encoder("bert")
    encoder.save_pretrained(tmp_path / "model")
    with pytest.raises(RequestError, match="model: exists already"):
        EXPORTS[backend](encoder, tmp_path / "model")
    EXPORTS[backend](encoder, tmp_path / "model", overwrite=True)
    assert (tmp_path / "model" / GRAPH_FILES[backend]).is_file()


@BACKENDS
def test_a_graph_is_no_source_of_another(tmp_path: Path, backend: str) -> None:
    EXPORTS[backend](tiny_encoder("bert"), tmp_path / "model")
    graph = Encoder.from_pretrained(tmp_path / "model", backend=backend)
    with pytest.raises(RequestError, match="a graph has no weights to save"):
        EXPORTS[backend](graph, tmp_path / "again")


@BACKENDS
def test_nothing_is_said_on_the_way(
    tmp_path: Path, backend: str, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    EXPORTS[backend](tiny_encoder("modernbert"), tmp_path / "model")
    assert capfd.readouterr() == ("", "")
    assert [str(warning.message) for warning in recwarn] == []


def test_trials_reach_past_a_window() -> None:
    encoder = tiny_encoder("modernbert")
    lengths = [int(tracing._look(encoder, texts).tokens.lengths.max()) for texts in tracing._TRIALS]
    assert lengths[-1] == 128
    assert lengths[0] < lengths[1] < lengths[2]
