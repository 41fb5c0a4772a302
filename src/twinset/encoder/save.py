"""An encoder to a folder that sentence-transformers, transformers and twinset read alike."""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import metadata
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch
import transformers
from safetensors import SafetensorError
from safetensors.torch import save_file

from twinset.encoder.card import Card, render
from twinset.encoder.evaluating import evaluating
from twinset.encoder.folder import OWN_FILE
from twinset.encoder.graph import Graph
from twinset.encoder.head import Dense
from twinset.encoder.head_files import write_dense
from twinset.encoder.load import quiet
from twinset.encoder.pooling import Pooling, layers_needed
from twinset.errors import RequestError, WorkError

if TYPE_CHECKING:
    from twinset.encoder.encoder import Encoder

_log = logging.getLogger(__name__)

Extra = Callable[[Path], None]
"""Puts more into a folder that is being written."""

_MODULES = "sentence_transformers.models"
_POOLING_KEYS: dict[Pooling, str] = {
    "cls": "pooling_mode_cls_token",
    "mean": "pooling_mode_mean_tokens",
    "max": "pooling_mode_max_tokens",
    "last": "pooling_mode_lasttoken",
}
_ALWAYS_WRITTEN = ("pooling_mode_cls_token", "pooling_mode_mean_tokens", "pooling_mode_max_tokens")


def save(
    encoder: Encoder, folder: Path, *, card: Card | None, overwrite: bool, extra: Extra | None = None
) -> None:
    """The whole folder or nothing: written beside its place, then renamed. extra: puts more into it."""
    if isinstance(encoder.backbone.model, Graph):
        file = encoder.backbone.model.file
        raise RequestError(f"{file}: a graph has no weights to save; open the model with backend='torch'")
    draft: Path | None = None
    try:
        _check_place(folder, overwrite=overwrite)
        folder.parent.mkdir(parents=True, exist_ok=True)
        _check_space(encoder, folder, copies=1 if extra is None else 2)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".draft", dir=folder.parent))
        draft.chmod(0o755)
        _write(encoder, draft, card or Card())
        if extra is not None:
            extra(draft)
        _put_in_place(draft, folder)
    except (OSError, SafetensorError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise WorkError(f"{folder}: could not be written: {why}. Nothing was left behind.") from error
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def _check_place(folder: Path, *, overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: is a file; name a folder to save to")
    if folder.is_dir() and any(folder.iterdir()) and not overwrite:
        raise RequestError(f"{folder}: exists already; name another folder, or say overwrite=True")


def _check_space(encoder: Encoder, folder: Path, *, copies: int) -> None:
    """Before the first byte: a full disk makes the libraries fail in ways of their own."""
    needed = copies * sum(weight.numel() * 4 for weight in encoder.backbone.parameters()) + 16 * 2**20
    free = shutil.disk_usage(folder.parent).free
    if free < needed:
        raise WorkError(f"{folder}: needs {needed >> 20} MB, and the disk has {free >> 20} MB left")


def _put_in_place(draft: Path, folder: Path) -> None:
    if not folder.exists():
        draft.rename(folder)
        return
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    folder.rename(aside)
    try:
        draft.rename(folder)
    except OSError:
        aside.rename(folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _write(encoder: Encoder, draft: Path, card: Card) -> None:
    layers = layers_needed(encoder.pooling)
    exact = layers == (-1,) or _last_state_is_output(encoder)
    with quiet():
        _write_transformer(encoder, draft, all_layers=layers != (-1,) and exact)
    modules = [_module(0, "", "Transformer")]
    if layers != (-1,):
        _put(draft / OWN_FILE, {"pooling": encoder.pooling})
        if exact:
            modules.append(_module(1, "1_WeightedLayerPooling", "WeightedLayerPooling"))
            _write_layers(encoder, draft / modules[-1]["path"], layers)
    modules.append(_module(len(modules), f"{len(modules)}_Pooling", "Pooling"))
    _write_pooling(encoder, draft / modules[-1]["path"])
    for part in encoder.backbone.head:
        kind = "Dense" if isinstance(part, Dense) else "Normalize"
        modules.append(_module(len(modules), f"{len(modules)}_{kind}", kind))
        if isinstance(part, Dense):
            write_dense(part, draft / modules[-1]["path"])
    if encoder.normalize:
        modules.append(_module(len(modules), f"{len(modules)}_Normalize", "Normalize"))
    for module in modules:
        (draft / module["path"]).mkdir(exist_ok=True)
    _put(draft / "modules.json", modules)
    _put(draft / "config_sentence_transformers.json", _settings(encoder))
    _put(draft / "sentence_bert_config.json", _sentence_settings(encoder))
    remarks = () if exact else (_inexact(encoder),)
    (draft / "README.md").write_text(render(card, facts=encoder.facts, remarks=remarks), encoding="utf-8")


def _write_transformer(encoder: Encoder, draft: Path, *, all_layers: bool) -> None:
    model = cast("Any", encoder.backbone.model)
    weights = {name: value.detach().float() for name, value in model.state_dict().items()}
    model.save_pretrained(draft, state_dict=weights)
    config = json.loads((draft / "config.json").read_text(encoding="utf-8"))
    config["dtype"] = "float32"
    config.pop("output_hidden_states", None)
    if all_layers:
        config["output_hidden_states"] = True
    _put(draft / "config.json", config)
    encoder.tokenizer.save_pretrained(draft)
    file = draft / "tokenizer_config.json"
    settings = json.loads(file.read_text(encoding="utf-8"))
    for name in ("is_local", "local_files_only"):
        settings.pop(name, None)  # how it was loaded here is nobody's business
    if settings.get("tokenizer_class") == "TokenizersBackend":
        settings["tokenizer_class"] = "PreTrainedTokenizerFast"  # the name that transformers 4 knows it by
    _put(file, settings)


def _write_pooling(encoder: Encoder, folder: Path) -> None:
    key = _POOLING_KEYS.get(encoder.pooling, "pooling_mode_mean_tokens")
    modes = {name: name == key for name in dict.fromkeys([*_ALWAYS_WRITTEN, key])}
    folder.mkdir()
    _put(folder / "config.json", {"word_embedding_dimension": _hidden_size(encoder), **modes})


def _write_layers(encoder: Encoder, folder: Path, layers: tuple[int, ...]) -> None:
    """The mean of two layers' means is the mean of the two layers: weights of one on each, zero between."""
    count = int(cast("Any", encoder.backbone.model.config).num_hidden_layers)
    chosen = {layer % (count + 1) for layer in layers}
    first = min(chosen)
    weights = torch.tensor([float(layer in chosen) for layer in range(first, count + 1)])
    folder.mkdir()
    size = _hidden_size(encoder)
    config = {"word_embedding_dimension": size, "layer_start": first, "num_hidden_layers": count}
    _put(folder / "config.json", config)
    save_file({"layer_weights": weights}, folder / "model.safetensors")


def _last_state_is_output(encoder: Encoder) -> bool:
    """Whether the library's last hidden state is the model's output, final norm included: what
    sentence-transformers reads, and what twinset reads."""
    model, device = encoder.backbone.model, encoder.device
    ids = torch.tensor([[0, 1, 2, 3]], device=device)
    with evaluating(model):
        found = model(input_ids=ids, attention_mask=torch.ones_like(ids), output_hidden_states=True)
    return torch.equal(found.hidden_states[-1], found.last_hidden_state)


def _inexact(encoder: Encoder) -> str:
    message = (
        f"sentence-transformers cannot pool this architecture's layers by {encoder.pooling}: there it pools "
        "by the mean, and its vectors differ from twinset's"
    )
    _log.warning(message)
    return message + "."


def _settings(encoder: Encoder) -> Mapping[str, object]:
    versions = {"transformers": transformers.__version__, "pytorch": torch.__version__}
    with suppress(metadata.PackageNotFoundError):  # a source tree that is not installed has no version
        versions["twinset"] = metadata.version("twinset")
    return {
        "__version__": versions,
        "prompts": dict(encoder.prompts),
        "default_prompt_name": encoder.prompts.default,
        "similarity_fn_name": encoder.similarity_name,
    }


def _sentence_settings(encoder: Encoder) -> Mapping[str, object]:
    settings: dict[str, object] = {"max_seq_length": encoder.max_length, "do_lower_case": False}
    model = encoder.backbone.model
    if getattr(model, "pooler", True) is None and "add_pooling_layer" in signature(type(model)).parameters:
        # Or sentence-transformers would make a random one, unused, and report that it did.
        settings["model_args"] = {"add_pooling_layer": False}
    return settings


def _hidden_size(encoder: Encoder) -> int:
    return int(cast("Any", encoder.backbone.model.config).hidden_size)


def _module(number: int, path: str, kind: str) -> dict[str, Any]:
    return {"idx": number, "name": str(number), "path": path, "type": f"{_MODULES}.{kind}"}


def _put(file: Path, content: object) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
