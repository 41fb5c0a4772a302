from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.encoder.tiny import tiny_encoder
from twinset.cli.halve import save_halved
from twinset.errors import RequestError


def test_what_16_bits_cannot_hold_is_refused(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    with torch.no_grad():
        next(encoder.backbone.model.parameters())[0, 0] = 1e6
    with pytest.raises(RequestError, match="numbers that 16 bits cannot hold"):
        save_halved(encoder, tmp_path / "half")
    assert list(tmp_path.iterdir()) == []
