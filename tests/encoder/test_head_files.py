from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch import nn

from twinset.encoder.head import Dense
from twinset.encoder.head_files import read_dense, write_dense
from twinset.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("bias", [True, False])
def test_round_trip(tmp_path: Path, bias: bool) -> None:
    layer = Dense(nn.Linear(4, 3, bias=bias), nn.GELU())
    write_dense(layer, tmp_path / "dense")
    vectors = torch.randn(5, 4)
    found = read_dense(tmp_path / "dense")
    assert torch.equal(found(vectors), layer(vectors))
    assert isinstance(found.activation, nn.GELU)


def test_pickled_weights_are_read(tmp_path: Path) -> None:
    layer = Dense(nn.Linear(4, 3), nn.Tanh())
    write_dense(layer, tmp_path / "dense")
    (tmp_path / "dense/model.safetensors").unlink()
    torch.save(
        {"linear." + k: v.half() for k, v in layer.linear.state_dict().items()},
        tmp_path / "dense/pytorch_model.bin",
    )
    found = read_dense(tmp_path / "dense")
    assert found.linear.weight.dtype == torch.float32
    assert torch.equal(found.linear.weight, layer.linear.weight.half().float())


class Trap:
    """Unpickled, it makes a folder."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.mark),)


def test_a_pickle_that_runs_code_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "dense"
    write_dense(Dense(nn.Linear(4, 3), nn.Tanh()), folder)
    (folder / "model.safetensors").unlink()
    torch.save({"linear.weight": Trap(tmp_path / "sprung")}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="dense: cannot be read as a Dense layer"):
        read_dense(folder)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"activation_function": "os.system"}, r"activation 'os\.system' is not supported"),
        ({"activation_function": "torch.nn.functional.relu"}, "is not supported"),
        ({"activation_function": "torch.nn.modules.linear.Linear"}, "needs arguments"),
        ({"use_residual": True}, "use_residual is not supported"),
        ({"module_input_name": "token_embeddings"}, "module_input_name 'token_embeddings' is not supported"),
        ({"out_features": 7}, r"do not fit config\.json \(4 to 7, bias True\)"),
        ({"bias": False}, r"do not fit config\.json \(4 to 3, bias False\)"),
    ],
)
def test_what_cannot_be_followed_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    folder = tmp_path / "dense"
    write_dense(Dense(nn.Linear(4, 3), nn.Tanh()), folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(ModelError, match=f"dense: .*{message}"):
        read_dense(folder)


def test_broken_files_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "dense"
    with pytest.raises(ModelError, match="dense: cannot be read as a Dense layer"):
        read_dense(folder)
    write_dense(Dense(nn.Linear(4, 3), nn.Tanh()), folder)
    (folder / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match="dense: cannot be read as a Dense layer"):
        read_dense(folder)
