"""sentence-transformers exports a folder to one of its backends, as its documentation says.

openvino: `openvino/openvino_model.xml`. onnx: `onnx/model.onnx`, `onnx/model_O3.onnx` (optimised) and
`onnx/model_qint8_avx512_vnni.onnx` (8 bits, dynamic).
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from sentence_transformers import SentenceTransformer

from benchmarks.rig.worker import Go


def prepare(settings: dict[str, Any]) -> Go:
    """Settings: backend."""
    return lambda order: exported(settings["backend"], order["source"], order["target"])


def exported(backend: str, source: str, target: str) -> dict[str, Any]:
    """Write the folder."""
    began = time.perf_counter()
    provider = {"provider": "CPUExecutionProvider"} if backend == "onnx" else {}
    with tempfile.TemporaryDirectory() as place:
        model = SentenceTransformer(
            without_arguments(source, place),
            device="cpu",
            backend=backend,
            model_kwargs={"export": True, **provider},
        )
    model.save_pretrained(target)
    if backend == "onnx":
        from sentence_transformers.backend import (
            export_dynamic_quantized_onnx_model,
            export_optimized_onnx_model,
        )

        export_optimized_onnx_model(model, "O3", target)
        export_dynamic_quantized_onnx_model(model, "avx512_vnni", target)
    return {"seconds": time.perf_counter() - began}


def without_arguments(source: str, place: str) -> str:
    """A copy of the folder that says nothing of how torch's model is made: the other backends are handed
    those arguments, too, and optimum-onnx refuses them."""
    copy = Path(shutil.copytree(source, Path(place) / "model"))
    file = copy / "sentence_bert_config.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({name: value for name, value in told.items() if name != "model_args"}))
    return str(copy)
