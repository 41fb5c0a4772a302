"""The encoder's own dropout: turned up, down or off for a run, and put back after it.

Attention layers keep their rate as a module in some architectures and as a number in others (ModernBERT),
which also leaves the module out altogether where its config's rate is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from torch import nn

_NUMBERS = ("attention_dropout", "dropout_prob")
_LEFT_OUT = ("out_drop",)


def set_dropout(backbone: nn.Module, rate: float | None) -> None:
    """Training mode with the encoder's own dropout at `rate` (None: as its config says; 0: none)."""
    if rate is not None and rate > 0:
        for module in list(backbone.modules()):
            for name in _LEFT_OUT:
                if isinstance(getattr(module, name, None), nn.Identity):
                    setattr(module, name, nn.Dropout(0.0))
        for _, module, name in _places(backbone):
            setattr(module, name, rate)
    backbone.train(rate != 0)


def dropout_rates(backbone: nn.Module) -> dict[str, float]:
    """Every rate in the encoder by its place."""
    return {place: float(getattr(module, name)) for place, module, name in _places(backbone)}


def restore_dropout(backbone: nn.Module, rates: Mapping[str, float]) -> None:
    """The rates as `dropout_rates` found them; a place that was not there then had none."""
    for place, module, name in _places(backbone):
        setattr(module, name, rates.get(place, 0.0))


def _places(backbone: nn.Module) -> Iterator[tuple[str, nn.Module, str]]:
    for path, module in backbone.named_modules():
        names = ("p",) if isinstance(module, nn.Dropout) else _NUMBERS
        for name in names:
            if isinstance(getattr(module, name, None), float | int):
                yield f"{path}.{name}", module, name
