from __future__ import annotations

import pytest
import torch
from torch import nn

from twinset.encoder.evaluating import evaluating


def test_every_part_is_put_back_as_it_was() -> None:
    module = nn.Sequential(nn.Dropout(), nn.Dropout())
    module.train()
    module[0].eval()

    def interrupted() -> None:
        with evaluating(module):
            assert not any(part.training for part in module.modules())
            raise KeyError

    with pytest.raises(KeyError):
        interrupted()
    assert (module.training, module[0].training, module[1].training) == (True, False, True)


def test_no_gradient_is_kept() -> None:
    layer = nn.Linear(2, 2)
    with evaluating(layer):
        assert not layer(torch.ones(1, 2)).requires_grad
    assert layer(torch.ones(1, 2)).requires_grad
