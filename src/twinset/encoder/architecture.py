"""What packing must know of an architecture: where positions begin, and how masks are handed over.

Each one in the table is proven against padding by tests/encoder/test_packed.py; any other is padded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn

from twinset.encoder.packing import Packing


def _from_zero(_model: nn.Module) -> int:
    return 0


def _past_padding(model: nn.Module) -> int:
    """RoBERTa and MPNet count positions from the padding token's id plus one."""
    return int(cast("Any", model).embeddings.padding_idx) + 1


_FIRST_POSITION: Mapping[str, Callable[[nn.Module], int]] = {
    "bert": _from_zero,
    "distilbert": _from_zero,
    "electra": _from_zero,
    "modernbert": _from_zero,
    "mpnet": _past_padding,
    "roberta": _past_padding,
    "xlm-roberta": _past_padding,
}


def can_pack(model: nn.Module) -> bool:
    """Whether texts may stand side by side in a row of this model."""
    return getattr(getattr(model, "config", None), "model_type", None) in _FIRST_POSITION


def inputs_of(model: nn.Module, packing: Packing, dtype: torch.dtype) -> dict[str, Any]:
    """Positions and attention masks of packed rows, as this model's forward takes them."""
    config = cast("Any", model).config
    first = _FIRST_POSITION[config.model_type](model)
    masks: Any = additive(packing.blocks(), dtype)
    if config.model_type == "modernbert":
        # Its sliding layers take a mask as it is and lose their window: they get one of their own.
        near = additive(packing.blocks(window=config.sliding_window), dtype)
        masks = {"full_attention": masks, "sliding_attention": near}
    return {"position_ids": packing.positions + first, "attention_mask": masks}


def additive(allowed: Tensor, dtype: torch.dtype) -> Tensor:
    """0 where attention may look, the format's lowest number where it may not."""
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill(
        ~allowed, torch.finfo(dtype).min
    )
