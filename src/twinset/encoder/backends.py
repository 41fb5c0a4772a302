"""What an encoder's transformer runs in: torch, or a graph of it in ONNX Runtime or OpenVINO.

A graph lies where sentence-transformers looks for it, too: beside the folder's other files.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from twinset.encoder.precision import FORMATS, Format
from twinset.errors import RequestError

GraphBackend = Literal["onnx", "openvino"]
Backend = Literal["torch", "onnx", "openvino"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)

GRAPH_FILES: Mapping[str, str] = {"onnx": "onnx/model.onnx", "openvino": "openvino/openvino_model.xml"}
"""Within a model's folder."""

FORMATS_OF: Mapping[str, tuple[Format, ...]] = {"torch": FORMATS, "onnx": ("fp32",), "openvino": FORMATS}
"""What each computes in. On a processor, ONNX Runtime has kernels for fp32 only."""


class Running(Protocol):
    """A graph that has been started: arrays in and out, by name."""

    inputs: frozenset[str]
    outputs: frozenset[str]

    def __call__(self, feed: Mapping[str, NDArray[np.int64]], /) -> Mapping[str, NDArray[Any]]: ...


def check_backend(backend: str) -> None:
    """That it is one of the three."""
    if backend not in BACKENDS:
        raise RequestError(f"backend: {backend!r} is none of {', '.join(BACKENDS)}")


def start(file: Path, backend: GraphBackend, *, precision: Format, threads: int) -> Running:
    """Read a graph and make it ready for this format, on so many threads."""
    if backend == "onnx":
        from twinset.encoder.onnx_runtime import OnnxRunning

        return OnnxRunning(file, threads=threads)
    from twinset.encoder.openvino_runtime import OpenvinoRunning

    return OpenvinoRunning(file, precision=precision, threads=threads)
