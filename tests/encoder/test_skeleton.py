from __future__ import annotations

import pytest
import torch

from tests.encoder.tiny import ARCHITECTURES, tiny_model
from twinset.encoder.length import positions_of
from twinset.encoder.skeleton import skeleton_of


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_the_model_itself_says(architecture: str) -> None:
    model = tiny_model(architecture)
    skeleton = skeleton_of(model.config)
    assert skeleton.architecture == type(model).__name__
    assert skeleton.parameters == sum(weight.numel() for weight in model.parameters())
    assert skeleton.words == model.get_input_embeddings().num_embeddings
    assert skeleton.positions == positions_of(model)


def test_nobodys_random_numbers_are_used() -> None:
    config = tiny_model("bert").config
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    skeleton_of(config)
    assert torch.equal(torch.rand(1), expected)
