"""What a model folder says beside the transformer's weights, in sentence-transformers' files and in ours.

Written by any version of sentence-transformers from 2 on, or by nobody: a plain transformers folder says
nothing, and gets mean pooling.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch import nn

from twinset.encoder.head import UnitLength
from twinset.encoder.head_files import read_dense
from twinset.encoder.pooling import POOLINGS, Pooling
from twinset.encoder.prompts import Prompts
from twinset.errors import ModelError

OWN_FILE = "twinset.json"
"""Holds the pooling that sentence-transformers has no single word for."""

_SETTINGS = "config_sentence_transformers.json"
_SUPPORTED = "Transformer, Pooling, WeightedLayerPooling (as twinset writes it), Dense, Normalize"
_POOLING_WORDS: dict[str, Pooling] = {"cls": "cls", "mean": "mean", "max": "max", "lasttoken": "last"}
_OLD_POOLING_KEYS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}


@dataclass(frozen=True, kw_only=True)
class Folder:
    """A model folder, read."""

    path: Path
    transformer: Path
    pooling: Pooling | None = None
    head: nn.Sequential = field(default_factory=nn.Sequential)
    normalize: bool = False
    prompts: Prompts = field(default_factory=Prompts)
    similarity: str = "cosine"
    max_length: int | None = None
    lower_case: bool = False


def read_folder(path: Path) -> Folder:
    """Everything but the transformer itself."""
    own = _own_pooling(path)
    modules = read_json(path / "modules.json", default=None)
    if modules is None:
        return Folder(path=path, transformer=path, pooling=own)
    kinds = [_kind(module, path) for module in modules]
    if kinds[:1] != ["Transformer"]:
        first = modules[0].get("type") if modules else "nothing"
        raise ModelError(f"{path}/modules.json: begins with {first}, not with a Transformer")
    settings = read_json(path / _SETTINGS, default={})
    if settings.get("truncate_dim") is not None:
        raise ModelError(f"{path}/{_SETTINGS}: truncate_dim is not supported; set it to null")
    transformer = path / modules[0]["path"]
    length, lower_case = _sentence_settings(transformer)
    places = [(kind, path / module["path"]) for kind, module in zip(kinds, modules, strict=True)][1:]
    parts, normalize = _head(places)
    return Folder(
        path=path,
        transformer=transformer,
        pooling=own or _pooling(places, path),
        head=nn.Sequential(*parts),
        normalize=normalize,
        prompts=_prompts(settings, path),
        similarity=settings.get("similarity_fn_name") or "cosine",
        max_length=length,
        lower_case=lower_case,
    )


def read_json(path: Path, *, default: Any) -> Any:  # noqa: ANN401 - a JSON file's content
    """The file's content; the default where there is no such file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return default
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read as JSON: {error}") from error


def _kind(module: Mapping[str, str], path: Path) -> str:
    """The module's class: both `sentence_transformers.models.Pooling` and today's longer paths end in it."""
    full = module.get("type", "")
    kind = full.rpartition(".")[2]
    known = {"Transformer", "Pooling", "WeightedLayerPooling", "Dense", "Normalize"}
    if not full.startswith("sentence_transformers.") or kind not in known:
        raise ModelError(f"{path}/modules.json: module {full!r} is not supported; supported are {_SUPPORTED}")
    return kind


def _own_pooling(path: Path) -> Pooling | None:
    told = read_json(path / OWN_FILE, default={}).get("pooling")
    if told is not None and told not in POOLINGS:
        raise ModelError(f"{path}/{OWN_FILE}: pooling {told!r} is none of {', '.join(POOLINGS)}")
    return told


def _pooling(places: Sequence[tuple[str, Path]], path: Path) -> Pooling:
    found = [place for kind, place in places if kind == "Pooling"]
    if len(found) != 1:
        raise ModelError(f"{path}/modules.json: has {len(found)} Pooling modules, one is needed")
    if any(kind == "WeightedLayerPooling" for kind, _ in places):
        raise ModelError(f"{path}/modules.json: WeightedLayerPooling is read only beside a {OWN_FILE}")
    file = found[0] / "config.json"
    config = read_json(file, default={})
    if config.get("include_prompt") is False:
        raise ModelError(f"{file}: include_prompt=false is not supported")
    told = config.get("pooling_mode") or [word for key, word in _OLD_POOLING_KEYS.items() if config.get(key)]
    words: list[str] = [told] if isinstance(told, str) else list(told) or ["mean"]
    if len(words) != 1 or words[0] not in _POOLING_WORDS:
        supported = ", ".join(_POOLING_WORDS)
        raise ModelError(f"{file}: pooling {' + '.join(words)} is not supported; one of {supported} is")
    return _POOLING_WORDS[words[0]]


def _head(places: Sequence[tuple[str, Path]]) -> tuple[list[nn.Module], bool]:
    """Modules after the pooling; scaling to unit length at the very end is the encoder's own business."""
    parts: list[nn.Module] = []
    for kind, place in places:
        if kind == "Dense":
            parts.append(read_dense(place))
        elif kind == "Normalize":
            parts.append(UnitLength())
    normalize = False
    while parts and isinstance(parts[-1], UnitLength):
        parts.pop()
        normalize = True
    return parts, normalize


def _prompts(settings: Mapping[str, Any], path: Path) -> Prompts:
    texts = {name: text for name, text in (settings.get("prompts") or {}).items() if text is not None}
    default = settings.get("default_prompt_name")
    if default is not None and default not in texts:
        raise ModelError(f"{path}/{_SETTINGS}: default_prompt_name {default!r} is not among the prompts")
    return Prompts(texts, default=default)


def _sentence_settings(transformer: Path) -> tuple[int | None, bool]:
    """Length and lower-casing from sentence_bert_config.json, or its siblings by other models' names."""
    for file in sorted(transformer.glob("sentence_*_config.json")):
        config = read_json(file, default={})
        task = config.get("transformer_task", "feature-extraction")
        if task != "feature-extraction":
            raise ModelError(f"{file}: transformer_task {task!r} is not supported; feature-extraction is")
        if config.get("processing_kwargs"):
            raise ModelError(f"{file}: processing_kwargs are not supported")
        return config.get("max_seq_length"), bool(config.get("do_lower_case", False))
    return None, False
