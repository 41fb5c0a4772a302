"""`twinset export`: an encoder for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twinset.cli.model import ModelName, load_model
from twinset.cli.output import show, show_json
from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.encoder import Encoder

_FORMATS = ("sentence-transformers", "onnx", "openvino")


def export(
    model: ModelName,
    *,
    to: Annotated[str, typer.Option(help="The format: sentence-transformers, onnx, openvino.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A folder that is not there yet.")],
    half: Annotated[bool, typer.Option("--half", help="Weights in 16 bits: half the size.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Write an encoder for another tool.

    SentenceTransformer(...) loads the folder, and transformers, too. With onnx or openvino it holds a graph,
    too, which `--backend` of other commands runs.
    """
    if to not in _FORMATS:
        raise RequestError(f"--to: {to!r} is none of {', '.join(_FORMATS)}")
    if out.is_dir() and any(out.iterdir()):
        raise RequestError(f"{out}: is there already and not empty; name a new folder")
    if out.exists() and not out.is_dir():
        raise RequestError(f"{out}: is a file; name a folder")
    if half and to != _FORMATS[0]:
        raise RequestError(f"--half: a graph for {to} has its weights in 32 bits; leave --half out")
    encoder = load_model(model)
    _write(encoder, out, to, half=half)
    if json:
        show_json({"folder": str(out), "format": to, "model": encoder.name, "half": half})
    else:
        show(f'{out}: SentenceTransformer("{out}") loads it')
        if to != _FORMATS[0]:
            show(f"{out}: --backend {to} runs its graph")


def _write(encoder: Encoder, out: Path, to: str, *, half: bool) -> None:
    if half:
        from twinset.cli.halve import save_halved

        save_halved(encoder, out)
    elif to == "onnx":
        from twinset.export import to_onnx

        to_onnx(encoder, out)
    elif to == "openvino":
        from twinset.export import to_openvino

        to_openvino(encoder, out)
    else:
        encoder.save_pretrained(out)
