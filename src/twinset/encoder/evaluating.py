"""Looking at vectors without changing the encoder."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(module: nn.Module) -> Generator[None]:
    """No dropout and no gradient inside; every submodule's training flag as it was afterwards."""
    flags = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        # One by one: some parts may have been in eval mode while the rest was training.
        for part, training in flags:
            part.training = training
