"""Tiny encoders with graphs, written once: `graph_folder("onnx")` has tiny BERT, `opened("onnx")` is it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from torch import nn

from tests.encoder.tiny import tiny_encoder
from twinset.encoder import Encoder, Prompts
from twinset.encoder.head import Dense
from twinset.export import to_onnx, to_openvino

if TYPE_CHECKING:
    from twinset.encoder import Pooling

GRAPHS = ("onnx", "openvino")
EXPORTS = {"onnx": to_onnx, "openvino": to_openvino}

_PLACE = tempfile.TemporaryDirectory(prefix="graphs-")  # goes when the tests end


def graph_folder(backend: str, architecture: str = "bert", pooling: Pooling = "mean") -> Path:
    """A folder with this graph in it. Not to be changed."""
    return _written(backend, architecture, pooling)


@cache
def _written(backend: str, architecture: str, pooling: Pooling) -> Path:
    folder = Path(_PLACE.name) / f"{backend}-{architecture}-{pooling}"
    EXPORTS[backend](tiny_encoder(architecture, pooling=pooling), folder)
    return folder


@cache
def opened(backend: str) -> Encoder:
    """Tiny BERT as a graph. Not to be changed."""
    return Encoder.from_pretrained(graph_folder(backend), backend=backend)


def furnished() -> Encoder:
    """An encoder with all that may stand around a transformer."""
    encoder = tiny_encoder("bert")
    encoder.backbone.head.append(Dense(nn.Linear(32, 5), nn.Tanh()))
    encoder.normalize = True
    encoder.max_length = 40
    encoder.prompts = Prompts({"query": "the query: ", "passage": "a "}, default="passage")
    return encoder
