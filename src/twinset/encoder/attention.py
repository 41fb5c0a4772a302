"""Attention on a processor, with dropout that costs little and in bf16 without detours.

    softmax(Q K^T scale + mask), dropped, times V

torch's own attention is quick there in single precision without dropout; with dropout it draws its masks one
number at a time, and in bf16 it takes twice the time of the plain products (0006). Models of transformers
take this one by its name, `twinset`, in their config.
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

_AT_ONCE = 1 << 22
"""Scores worked out at once where no gradient will ask for them again: what stays near the processor."""


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
    if query.device.type != "cpu" or (dropout == 0 and query.dtype != torch.bfloat16):
        found = scaled_dot_product_attention(
            query, key, value, attn_mask=attention_mask, dropout_p=dropout, scale=scaling
        )
        return found.transpose(1, 2).contiguous(), None
    query = query * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    if attention_mask is not None and attention_mask.dtype == torch.bool:
        attention_mask = additive(attention_mask, query.dtype)
    if torch.is_grad_enabled():
        return _attended(query, key, value, attention_mask, dropout).transpose(1, 2).contiguous(), None
    rows = max(1, _AT_ONCE // (query.shape[1] * query.shape[2] * key.shape[2]))
    parts = [
        _attended(query[some], key[some], value[some], _of_rows(attention_mask, some), dropout)
        for some in (slice(first, first + rows) for first in range(0, len(query), rows))
    ]
    return torch.cat([part.transpose(1, 2) for part in parts]), None


def _attended(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout: float) -> Tensor:
    scores = torch.matmul(query, key.transpose(2, 3))
    if mask is not None:
        scores = scores + mask
    return torch.matmul(drop(softmax(scores, dim=-1), dropout), value)


def _of_rows(mask: Tensor | None, some: slice) -> Tensor | None:
    return mask if mask is None or len(mask) == 1 else mask[some]


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, sdpa_mask)
