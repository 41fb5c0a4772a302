"""What a config alone says of a model: read off one that has no weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from transformers import AutoModel, PretrainedConfig

from twinset.encoder.length import positions_of


@dataclass(frozen=True, kw_only=True)
class Skeleton:
    """parameters: how many numbers its weights are. words: how many token ids it knows. positions: the most
    tokens of a text, where it has a table of them."""

    architecture: str
    parameters: int
    words: int
    positions: int | None


def skeleton_of(config: PretrainedConfig) -> Skeleton:
    """Of the model that a config describes, without the pooler, which no pooling here reads."""
    with torch.device("meta"):  # nothing is drawn for weights that are not there
        model = cast("Any", AutoModel.from_config(config))
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return Skeleton(
        architecture=type(model).__name__,
        parameters=sum(weight.numel() for weight in model.parameters()),
        words=int(model.get_input_embeddings().num_embeddings),
        positions=positions_of(model),
    )
