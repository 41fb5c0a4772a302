"""Dense layers on disk, as sentence-transformers keeps them: a folder of settings and weights each."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from twinset.encoder.head import Dense
from twinset.errors import ModelError


def read_dense(folder: Path) -> Dense:
    """The layer kept in this folder."""
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = _weights(folder)
    except (OSError, ValueError, SafetensorError, pickle.UnpicklingError, RuntimeError) as error:
        raise ModelError(f"{folder}: cannot be read as a Dense layer: {error}") from error
    _refuse_detours(config, folder)
    weight, bias = weights.get("linear.weight"), weights.get("linear.bias")
    shape = (config.get("out_features"), config.get("in_features"))
    has_bias = bool(config.get("bias", True))
    if weight is None or tuple(weight.shape) != shape or (bias is not None) != has_bias:
        told = f"{shape[1]} to {shape[0]}, bias {has_bias}"
        raise ModelError(f"{folder}: the weights do not fit config.json ({told})")
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=has_bias, device="meta").to_empty(device="cpu")
    linear.load_state_dict({name.removeprefix("linear."): value.float() for name, value in weights.items()})
    return Dense(linear, _activation(config.get("activation_function", "torch.nn.Tanh"), folder))


def write_dense(layer: Dense, folder: Path) -> None:
    """Settings and fp32 weights."""
    folder.mkdir()
    config = {
        "in_features": layer.linear.in_features,
        "out_features": layer.linear.out_features,
        "bias": "bias" in layer.linear.state_dict(),
        "activation_function": _path_of(layer.activation),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    weights = {f"linear.{name}": value for name, value in layer.linear.state_dict().items()}
    save_file(
        {name: value.detach().float().cpu().contiguous() for name, value in weights.items()},
        folder / "model.safetensors",
    )


def _weights(folder: Path) -> dict[str, Tensor]:
    if (folder / "model.safetensors").exists():
        return load_file(folder / "model.safetensors")
    return torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True)


def _refuse_detours(config: dict[str, Any], folder: Path) -> None:
    """A Dense layer between other ends than the pooled vector, or with a bypass, is another thing."""
    names = ("module_input_name", "module_output_name")
    odd = [
        f"{name} {config[name]!r}" for name in names if config.get(name) not in {None, "sentence_embedding"}
    ]
    if config.get("use_residual"):
        odd.append("use_residual")
    if odd:
        raise ModelError(f"{folder}: {odd[0]} is not supported in a Dense layer")


def _activation(path: str, folder: Path) -> nn.Module:
    """Only torch's own activations: a folder from elsewhere must not name code to run."""
    kind = getattr(nn, path.rpartition(".")[2], None) if path.startswith("torch.nn.") else None
    if not (isinstance(kind, type) and issubclass(kind, nn.Module)):
        raise ModelError(f"{folder}: activation {path!r} is not supported; torch.nn's activations are")
    try:
        return kind()
    except TypeError as error:
        raise ModelError(f"{folder}: activation {path!r} needs arguments, and the folder has none") from error


def _path_of(module: nn.Module) -> str:
    return f"{type(module).__module__}.{type(module).__qualname__}"
