"""A saved encoder in 16 bits: half the size on disk, read back as 32."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from twinset.encoder import Encoder
from twinset.errors import RequestError, WorkError

_LARGEST = torch.finfo(torch.float16).max


def save_halved(encoder: Encoder, folder: Path) -> None:
    """Save beside its place, round the weights, then move: whole or not at all."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as place:
            draft = Path(place) / "model"
            encoder.save_pretrained(draft)
            for file in draft.rglob("*.safetensors"):
                _round(file)
            _say_so(draft / "config.json")
            if folder.exists():
                folder.rmdir()
            shutil.move(draft, folder)
    except OSError as error:
        raise WorkError(f"{folder}: could not be written: {error.strerror or error}") from error


def _round(file: Path) -> None:
    weights = load_file(file)
    for name, value in weights.items():
        if value.is_floating_point() and bool((value.abs() > _LARGEST).any()):
            raise RequestError(f"--half: {name} has numbers that 16 bits cannot hold; leave --half out")
    rounded = {name: value.half() if value.is_floating_point() else value for name, value in weights.items()}
    save_file(rounded, file, metadata={"format": "pt"})


def _say_so(config: Path) -> None:
    settings = json.loads(config.read_text(encoding="utf-8"))
    settings["dtype"] = settings["torch_dtype"] = "float16"
    config.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
