"""An encoder for other tools: a folder as `save_pretrained` writes it, with a graph of the transformer.

twinset.export.to_onnx(encoder, "my-encoder-onnx")
fast = twinset.Encoder.from_pretrained("my-encoder-onnx", backend="onnx")
"""

from __future__ import annotations

from twinset.export.onnx import to_onnx
from twinset.export.openvino import to_openvino

__all__ = ["to_onnx", "to_openvino"]
