"""A graph in ONNX Runtime, on the processor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from twinset.errors import ModelError, RequestError

_FATAL_ONLY = 4  # others are raised, and told once


@final
class OnnxRunning:
    """An ONNX file, started."""

    def __init__(self, file: Path, *, threads: int) -> None:
        library = load_onnxruntime()
        options: Any = library.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = _FATAL_ONLY
        try:
            self._session: Any = library.InferenceSession(
                str(file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its errors have no parent of their own
            raise ModelError(f"{file}: ONNX Runtime cannot read it: {_first_line(error)}") from error
        self.inputs: frozenset[str] = frozenset(place.name for place in self._session.get_inputs())
        self._names: list[str] = [place.name for place in self._session.get_outputs()]
        self.outputs: frozenset[str] = frozenset(self._names)

    def __call__(self, feed: Mapping[str, NDArray[np.int64]], /) -> Mapping[str, NDArray[Any]]:
        return dict(zip(self._names, self._session.run(self._names, dict(feed)), strict=True))


def load_onnxruntime() -> ModuleType:
    """The library, or what to install."""
    try:
        import onnxruntime
    except ImportError as error:
        raise RequestError(
            "backend 'onnx' needs ONNX Runtime, which is not installed: pip install 'twinset[onnx]'"
        ) from error
    return onnxruntime


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
