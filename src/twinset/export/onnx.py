"""An encoder's transformer as an ONNX graph, for ONNX Runtime and whatever else reads the format."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from twinset.encoder.backends import GRAPH_FILES
from twinset.encoder.onnx_runtime import load_onnxruntime
from twinset.encoder.save import save
from twinset.errors import RequestError
from twinset.export.readers import suit_readers
from twinset.export.tracing import AXES, INPUTS, States, example, exporting, try_out

if TYPE_CHECKING:
    from twinset.encoder import Card, Encoder

_OPSET = 17  # the first that has layer norm as one operation


def to_onnx(
    encoder: Encoder, folder: str | Path, *, card: Card | None = None, overwrite: bool = False
) -> None:
    """Write a folder as `save_pretrained` does, with `onnx/model.onnx` in it.

    `Encoder.from_pretrained(folder, backend="onnx")` runs the graph, and so does
    `SentenceTransformer(folder, backend="onnx")`; without `backend` both open the weights as ever.
    """
    load_onnxruntime()
    _check_onnx()

    def write(draft: Path) -> None:
        states, file = States(encoder), draft / GRAPH_FILES["onnx"]
        file.parent.mkdir()
        with exporting(encoder, "an ONNX graph"):
            torch.onnx.export(
                states,
                example(encoder),
                str(file),
                input_names=INPUTS,
                output_names=states.names,
                dynamic_axes=dict.fromkeys((*INPUTS, *states.names), AXES),
                opset_version=_OPSET,
                dynamo=False,
            )
        try_out(file, "onnx", states, encoder)
        suit_readers(draft, "onnx", encoder.pooling)

    save(encoder, Path(folder).expanduser(), card=card, overwrite=overwrite, extra=write)


def _check_onnx() -> None:
    """The exporter needs it, and would say so only after the weights are written."""
    if find_spec("onnx") is None:
        raise RequestError("the export needs onnx, which is not installed: pip install 'twinset[onnx]'")
