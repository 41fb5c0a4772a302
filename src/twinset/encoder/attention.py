"""Attention for training on a processor, with dropout that costs little.

    softmax(Q K^T scale + mask), dropped, times V

torch's own attention is quick there without dropout, and draws its masks one number at a time with it.
Models of transformers take this one by its name, `twinset`, in their config.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention, softmax
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

from twinset.encoder.architecture import additive
from twinset.encoder.cheap_dropout import drop

NAME = "twinset"


def attend(
    _module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    dropout: float = 0.0,
    scaling: float | None = None,
    **_: Any,  # noqa: ANN401 - what other kinds of attention want to know
) -> tuple[Tensor, None]:
    """(n, heads, L, d) each to (n, L, heads, d)."""
    if dropout == 0 or query.device.type != "cpu":
        found = scaled_dot_product_attention(
            query, key, value, attn_mask=attention_mask, dropout_p=dropout, scale=scaling
        )
        return found.transpose(1, 2).contiguous(), None
    scores = torch.matmul(query, key.transpose(2, 3))
    scores = scores * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    if attention_mask is not None:
        allowed = attention_mask.dtype == torch.bool
        scores = scores + (additive(attention_mask, scores.dtype) if allowed else attention_mask)
    weights = drop(softmax(scores, dim=-1), dropout)
    return torch.matmul(weights, value).transpose(1, 2).contiguous(), None


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, sdpa_mask)
