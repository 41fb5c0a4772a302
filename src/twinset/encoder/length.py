"""How many tokens of a text the encoder sees."""

from __future__ import annotations

from typing import Any, cast

from torch import nn
from transformers import PreTrainedTokenizerFast

from twinset.errors import ModelError

_UNKNOWN = 512  # for a model that names no limit anywhere
_NO_LIMIT = 1_000_000  # tokenizers without a limit of their own say 10**30


def positions_of(model: nn.Module) -> int | None:
    """The most tokens a model has positions for; None where positions are not embedded.

    RoBERTa and its relatives number positions from the padding id plus one on, so a table of 514 rows
    holds 512 tokens.
    """
    skeleton = getattr(model, "skeleton", None)
    if skeleton is not None:  # a graph's own modules are not to be seen
        return cast("int | None", skeleton.positions)
    config = cast("Any", model.config)
    most = getattr(config, "max_position_embeddings", None)
    if not isinstance(most, int) or most <= 0:
        return None
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)
    return most if padding is None else most - int(padding) - 1


def length_of(
    model: nn.Module, tokenizer: PreTrainedTokenizerFast, *, stored: int | None, asked: int | None, name: str
) -> int:
    """The user's length where there is one; else what the folder says, within the model's positions."""
    positions = positions_of(model)
    if asked is not None:
        least = tokenizer.num_special_tokens_to_add() + 1
        if asked < least or (positions is not None and asked > positions):
            limit = "" if positions is None else f" to {positions} (the model's positions)"
            raise ModelError(f"{name}: max_length={asked} cannot be: give a number from {least}{limit}")
        return asked
    told = stored or (tokenizer.model_max_length if tokenizer.model_max_length < _NO_LIMIT else None)
    limits = [int(limit) for limit in (told, positions) if limit]
    return min(limits, default=_UNKNOWN)
