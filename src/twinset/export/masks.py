"""Attention masks that leave nobody alone.

    may(i, j) = real(j) and |i - j| <= w,  or i = j

Where attention is near-sighted (ModernBERT's sliding layers), a place of padding may have no real token near
it, and the softmax over nothing is not a number in some engines; from there it reaches the real tokens: zero
times it is not a number, either. Here every place sees at least itself. Real tokens see what they always saw.
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn

from twinset.encoder.architecture import additive


def masks_of(model: nn.Module, mask: Tensor) -> Any:  # noqa: ANN401 - what the model takes: one, or by layer type
    """What this model is to be given for the mask (n, L) of its texts."""
    config = cast("Any", model.config)
    if config.model_type != "modernbert":
        return mask
    places = torch.arange(mask.shape[1], device=mask.device)
    distance = (places[:, None] - places[None, :]).abs()
    itself, near = distance == 0, distance <= config.sliding_window
    real = mask.bool()[:, None, None, :]
    allowed = {"full_attention": real | itself, "sliding_attention": (real & near) | itself}
    return {kind: additive(pairs, torch.float32) for kind, pairs in allowed.items()}
