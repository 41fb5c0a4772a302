from __future__ import annotations

import torch

from tests.training.steps.scenes import assert_same, backbone, gradients, scene
from twinset.objectives import NTXent
from twinset.training.steps import Plain


def test_gradient_is_autograd_s_through_the_whole_batch() -> None:
    encoder = backbone("bert", dropout=0)
    given = scene(encoder, NTXent())
    value = NTXent()(given.embedded(tuple(encoder(look) for look in given.looks))).value
    names, parameters = zip(*encoder.named_parameters(), strict=True)
    expected = torch.autograd.grad(value, parameters)
    outcome, found = gradients(Plain(), given)
    torch.testing.assert_close(outcome.loss.value, value.detach())
    assert_same({f"0.{name}": grad for name, grad in zip(names, expected, strict=True)}, found)
