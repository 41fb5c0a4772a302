"""`twinset export`: an encoder for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twinset.cli.model import ModelName, load_model
from twinset.cli.output import show, show_json
from twinset.errors import RequestError

_FORMATS = ("sentence-transformers",)


def export(
    model: ModelName,
    *,
    to: Annotated[str, typer.Option(help="The format: sentence-transformers.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A folder that is not there yet.")],
    half: Annotated[bool, typer.Option("--half", help="Weights in 16 bits: half the size.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Write an encoder for another tool.

    SentenceTransformer(...) loads the folder, and transformers, too.
    """
    if to not in _FORMATS:
        raise RequestError(f"--to: {to!r} is none of {', '.join(_FORMATS)}")
    if out.is_dir() and any(out.iterdir()):
        raise RequestError(f"{out}: is there already and not empty; name a new folder")
    if out.exists() and not out.is_dir():
        raise RequestError(f"{out}: is a file; name a folder")
    encoder = load_model(model)
    if half:
        from twinset.cli.halve import save_halved

        save_halved(encoder, out)
    else:
        encoder.save_pretrained(out)
    if json:
        show_json({"folder": str(out), "format": to, "model": encoder.name, "half": half})
    else:
        show(f'{out}: SentenceTransformer("{out}") loads it')
