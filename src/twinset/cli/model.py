"""From what a user calls a model to an encoder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twinset.errors import RequestError

if TYPE_CHECKING:
    from twinset.encoder import Encoder

ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help='"mini", a folder, the folder of a run, or a hub id.')
]

BackendName = Annotated[
    str,
    typer.Option("--backend", help="What runs it: torch; onnx or openvino, where `export` wrote a graph."),
]

_OF_A_RUN = ("run.toml", "log.jsonl", "checkpoint.safetensors")


def load_model(name: str, *, max_length: int | None = None, backend: str = "torch") -> Encoder:
    """The encoder; of a run's folder, the one it ended with."""
    from twinset.encoder import Encoder
    from twinset.encoder.backends import BACKENDS

    if backend not in BACKENDS:
        raise RequestError(f"--backend: {backend!r} is none of {', '.join(BACKENDS)}")
    settings: dict[str, Any] = {} if max_length is None else {"max_length": max_length}
    return Encoder.from_pretrained(_folder(name), backend=backend, **settings)


def _folder(name: str) -> str:
    folder = Path(name).expanduser()
    if name == "mini" or not any((folder / file).is_file() for file in _OF_A_RUN):
        return name
    model = folder / "model"
    if not model.is_dir():
        raise RequestError(
            f"{folder}: this run has no model yet; go on with it: twinset train {folder} --resume"
        )
    return str(model)
