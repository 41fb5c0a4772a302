"""From what the user named to a folder on this machine: the built-in encoder, a folder, or a hub id."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from twinset.errors import ModelError

if TYPE_CHECKING:
    from twinset.encoder.backends import Backend

MINI = "mini"
"""Names the built-in encoder wherever a model is named. A folder of that name is `./mini`."""

_READ = ["*.json", "*.txt", "*.model", "*.safetensors", "*_Dense/pytorch_model.bin"]
_PICKLED = ["*pytorch_model*.bin"]
_LEFT_OUT = ["onnx/*", "openvino/*", "coreml/*", "*.onnx", "*.h5", "*.msgpack", "checkpoint-*"]

# With a graph, the transformer's own weights are not needed; those of dense layers are.
_BESIDE_A_GRAPH = ["*.json", "*.txt", "*.model", "*_Dense/*"]
_GRAPHS: Mapping[str, list[str]] = {"onnx": ["onnx/model.onnx*"], "openvino": ["openvino/openvino_model.*"]}


def mini_folder() -> Path:
    """Where the built-in encoder is installed."""
    return Path(str(resources.files("twinset.encoder") / "mini"))


def locate(source: str | Path, *, revision: str | None = None, backend: Backend = "torch") -> Path:
    """The folder that holds the model, downloaded to the hub's cache where need be: of weights and graphs,
    what this backend reads."""
    if source == MINI:
        return mini_folder()
    if not str(source).strip():
        raise ModelError("a model's name is needed: a folder, a hub id, or 'mini'")
    path = Path(source).expanduser()
    if path.is_dir():
        return path
    if path.exists():
        raise ModelError(f"{source}: is a file; name the folder that holds the model")
    if isinstance(source, Path) or _looks_like_path(source):
        raise ModelError(f"{source}: no such folder{_did_you_mean(path)}")
    return _from_hub(source, revision, backend)


def _looks_like_path(source: str) -> bool:
    return source.startswith((".", "~", "/")) or source.count("/") > 1 or "\\" in source


def _from_hub(name: str, revision: str | None, backend: Backend) -> Path:
    from huggingface_hub import errors, snapshot_download

    def fetch(patterns: list[str], left_out: list[str]) -> Path:
        return Path(
            snapshot_download(name, revision=revision, allow_patterns=patterns, ignore_patterns=left_out)
        )

    # The hub's errors extend those of the HTTP library in use, which is httpx or httpx2 by the hub's version.
    transport: type[Exception] = errors.HfHubHTTPError.__mro__[1]
    where = os.environ.get("HF_ENDPOINT", "huggingface.co")
    hint = f"{name}: no such folder{_did_you_mean(Path(name))}; and"
    try:
        if backend in _GRAPHS:
            return fetch([*_BESIDE_A_GRAPH, *_GRAPHS[backend]], ["checkpoint-*"])
        folder = fetch(_READ, _LEFT_OUT)
        # Pickles are fetched only from those who offer nothing else.
        return folder if _has_weights(folder) else fetch([*_READ, *_PICKLED], _LEFT_OUT)
    except errors.HFValidationError as error:
        raise ModelError(f"{hint} it is no hub id either (owner/name)") from error
    except errors.GatedRepoError as error:
        raise ModelError(
            f"{name}: access to this model must be granted at {where} first; then `hf auth login`"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise ModelError(f"{name}: the hub has no revision {revision!r} of it") from error
    except errors.RepositoryNotFoundError as error:
        raise ModelError(f"{hint} {where} has no model of that name (or it is private)") from error
    except (OSError, transport) as error:
        raise ModelError(
            f"{hint} the hub ({where}) cannot be reached to look for it there, nor is it in the hub's cache. "
            f"Name a folder, or '{MINI}' for the built-in encoder"
        ) from error


def _has_weights(folder: Path) -> bool:
    return any(folder.glob("*.safetensors")) or any(folder.glob("0_*/*.safetensors"))


def _did_you_mean(path: Path) -> str:
    close = difflib.get_close_matches(path.name, _folders_beside(path), n=1)
    if not close:
        return ""
    found = close[0] if path.parent == Path() else str(path.parent / close[0])
    return f"; did you mean {found}?"


def _folders_beside(path: Path) -> list[str]:
    def names() -> Iterator[str]:
        if path.parent == Path():
            yield MINI
        if path.parent.is_dir():
            yield from (entry.name for entry in path.parent.iterdir() if entry.is_dir())

    return list(names())
