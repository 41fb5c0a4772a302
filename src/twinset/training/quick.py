"""An encoder made quick to train on a processor, and as it was afterwards.

Its dropouts become cheap ones and its attention the one that uses them. Elsewhere torch's own are quick.
"""

from __future__ import annotations

from typing import Any, cast

from torch import nn

from twinset.encoder import attention
from twinset.encoder.backbone import Backbone
from twinset.encoder.cheap_dropout import CheapDropout, exchange

_EXCHANGED = "sdpa"


def quicken(backbone: Backbone) -> None:
    """Cheap dropout, where the weights lie on a processor."""
    if next(backbone.parameters()).device.type != "cpu":
        return
    exchange(backbone, nn.Dropout, CheapDropout)
    config = cast("Any", backbone.model.config)
    if config._attn_implementation == _EXCHANGED:  # noqa: SLF001 - transformers has no public name for it
        config._attn_implementation = attention.NAME  # noqa: SLF001


def slow_down(backbone: Backbone) -> None:
    """Torch's own dropout and attention again."""
    exchange(backbone, CheapDropout, nn.Dropout)
    config = cast("Any", backbone.model.config)
    if config._attn_implementation == attention.NAME:  # noqa: SLF001
        config._attn_implementation = _EXCHANGED  # noqa: SLF001
