"""A graph in OpenVINO, on the processor."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast, final

import numpy as np
from numpy.typing import NDArray

from twinset.encoder.precision import Format
from twinset.errors import ModelError, RequestError

_HINTS: Mapping[Format, str] = {"fp32": "f32", "bf16": "bf16"}
_TELEMETRY = "openvino_telemetry"


@final
class OpenvinoRunning:
    """A graph in OpenVINO's own format, compiled for this processor."""

    def __init__(self, file: Path, *, precision: Format, threads: int) -> None:
        settings = {
            # Without the hint it chooses for itself, and that is bf16 where the processor has it.
            "INFERENCE_PRECISION_HINT": _HINTS[precision],
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": 1,
            # Several processes, each pinned to the first cores, would share those and leave the others idle.
            "ENABLE_CPU_PINNING": False,
        }
        try:
            self.compiled: Any = _core().compile_model(str(file), "CPU", settings)
        except RuntimeError as error:
            why = str(error).strip().splitlines()[-1].strip()
            raise ModelError(f"{file}: OpenVINO cannot read it: {why}") from error
        self.inputs: frozenset[str] = _names(self.compiled.inputs)
        self.outputs: frozenset[str] = _names(self.compiled.outputs)

    def __call__(self, feed: Mapping[str, NDArray[np.int64]], /) -> Mapping[str, NDArray[Any]]:
        found = self.compiled(dict(feed))
        return {name: found[name] for name in self.outputs}


@cache
def _core() -> Any:  # noqa: ANN401 - a class of the library's
    """One for as long as the process lives.

    Each core gives the thread a stack for signal handlers, and takes it away when it goes. Where one goes
    while another is there, the stack of the first is put back, which is no more: the next Ctrl-C would end
    the process with a segmentation fault.
    """
    return load_openvino().Core()


def load_openvino() -> ModuleType:
    """The library without its telemetry, or what to install.

    By default, importing it makes an id for this user, keeps it in their home folder and sends it to the
    makers. Where `openvino_telemetry` cannot be imported it does none of that.
    """
    seen = _TELEMETRY in sys.modules
    if not seen:
        sys.modules[_TELEMETRY] = cast("ModuleType", None)
    try:
        import openvino
    except ImportError as error:
        raise RequestError(
            "backend 'openvino' needs OpenVINO, which is not installed: pip install 'twinset[openvino]'"
        ) from error
    finally:
        if not seen:
            del sys.modules[_TELEMETRY]
    return openvino


def _names(ports: Any) -> frozenset[str]:  # noqa: ANN401 - a list of the library's
    return frozenset(name for port in ports for name in port.get_names())
