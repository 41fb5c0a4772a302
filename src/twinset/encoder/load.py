"""A transformers folder to a model and its tokenizer, in fp32, with nothing random in it and no noise."""

from __future__ import annotations

import pickle
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError
from tokenizers import normalizers
from torch import nn
from transformers import AutoConfig, AutoModel, AutoTokenizer, PretrainedConfig, PreTrainedTokenizerFast
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)
from transformers.utils import logging

from twinset.encoder.backends import Backend, GraphBackend
from twinset.encoder.graph import Graph, open_graph
from twinset.errors import ModelError

# What the libraries raise over a folder that is not what they expect: no such file, bad JSON, an unknown
# architecture, cut-off weights, a tokenizer without its files, a package that is not installed.
_FAILURES = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RuntimeError,
    ImportError,
    SafetensorError,
    pickle.UnpicklingError,
)


def load_transformer(
    folder: Path, *, lower_case: bool = False, backend: Backend = "torch"
) -> tuple[nn.Module, PreTrainedTokenizerFast]:
    """The encoder, or the graph of it that another backend runs, and its fast tokenizer, both checked."""
    if not (folder / "config.json").is_file():
        raise ModelError(f"{folder}: has no config.json, so it is no model folder")
    with quiet():
        config = _config(folder)
        model = _model(folder) if backend == "torch" else _graph(folder, backend, config)
        tokenizer = _tokenizer(folder, lower_case=lower_case)
    rows = (
        model.skeleton.words
        if isinstance(model, Graph)
        else cast("Any", model).get_input_embeddings().num_embeddings
    )
    if len(tokenizer) > rows:
        counts = f"the tokenizer knows {len(tokenizer)} tokens, the {config.model_type} only {rows}"
        raise ModelError(f"{folder}: {counts}; they do not belong together")
    return model, tokenizer


def _config(folder: Path) -> PretrainedConfig:
    try:
        config = AutoConfig.from_pretrained(str(folder))
    except _FAILURES as error:
        why = _first_line(error)
        raise ModelError(f"{folder}/config.json: cannot be read as a transformer's: {why}") from error
    kind = config.model_type
    if getattr(config, "is_encoder_decoder", False):
        raise ModelError(f"{folder}: {kind} has an encoder and a decoder; twinset needs an encoder alone")
    decodes = kind in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if decodes or getattr(config, "is_decoder", False):
        raise ModelError(f"{folder}: {kind} is a decoder; twinset needs an encoder, which looks both ways")
    if kind not in MODEL_FOR_MASKED_LM_MAPPING_NAMES:
        raise ModelError(f"{folder}: {kind} is no text encoder that twinset knows (BERT-like ones are)")
    return config


def _model(folder: Path) -> nn.Module:
    try:
        # Weights that are missing are drawn before they are refused or dropped: not from our caller's stream.
        with torch.random.fork_rng(devices=[]):
            model, found = AutoModel.from_pretrained(
                str(folder), dtype=torch.float32, output_loading_info=True
            )
    except _FAILURES as error:
        raise ModelError(f"{folder}: the weights cannot be loaded: {_first_line(error)}") from error
    missing: set[str] = set(found["missing_keys"])
    poolers = {key for key in missing if key.startswith("pooler.")}
    if poolers:
        model.pooler = None
    if missing - poolers:
        some = ", ".join(sorted(missing - poolers)[:3])
        raise ModelError(f"{folder}: {len(missing - poolers)} weights are not in its files ({some} ...)")
    return model


def _graph(folder: Path, backend: GraphBackend, config: PretrainedConfig) -> Graph:
    try:
        return open_graph(folder, backend, config)
    except _FAILURES as error:
        raise ModelError(f"{folder}/config.json: no model can be made of it: {_first_line(error)}") from error


def _tokenizer(folder: Path, *, lower_case: bool) -> PreTrainedTokenizerFast:
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
    except _FAILURES as error:
        raise ModelError(f"{folder}: the tokenizer cannot be loaded: {_first_line(error)}") from error
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise ModelError(f"{folder}: {type(tokenizer).__name__} is no fast tokenizer; add a tokenizer.json")
    if len(tokenizer) <= len(set(tokenizer.all_special_tokens)):
        # Where a folder has no tokenizer at all, transformers makes one that knows special tokens only.
        raise ModelError(f"{folder}: has no vocabulary; add its tokenizer.json")
    if lower_case:
        # sentence-transformers' own switch: in front of whatever the tokenizer does.
        backend = tokenizer.backend_tokenizer
        after = [] if backend.normalizer is None else [backend.normalizer]
        backend.normalizer = normalizers.Sequence([normalizers.Lowercase(), *after])
    return tokenizer


@contextmanager
def quiet() -> Generator[None]:
    """Without transformers' progress bars and reports; what matters of them is checked and raised here."""
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
