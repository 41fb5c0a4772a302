from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional

from tests.encoder.tiny import ARCHITECTURES, tiny_model
from tests.views.looks import look
from twinset.encoder.backbone import Backbone
from twinset.encoder.cheap_dropout import CheapDropout
from twinset.training.dropout import set_dropout
from twinset.training.quick import quicken, slow_down


def quick(architecture: str, rate: float = 0.3) -> Backbone:
    backbone = Backbone(tiny_model(architecture))
    set_dropout(backbone, rate)
    quicken(backbone)
    return backbone


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_nobody_draws_the_slow_way(architecture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backbone = quick(architecture)

    def slow(*args: object, **named: object) -> None:
        raise AssertionError("the slow way")

    def fused(*args: object, dropout_p: float = 0.0, **named: object) -> None:
        raise AssertionError("torch's attention")

    monkeypatch.setattr(functional, "dropout", slow)
    monkeypatch.setattr(functional, "scaled_dot_product_attention", fused)
    first = backbone(look([5, 9, 12]))
    assert not torch.allclose(first, backbone(look([5, 9, 12])))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_vectors_are_the_same_without_dropout(architecture: str) -> None:
    backbone = quick(architecture).eval()
    plain = Backbone(tiny_model(architecture)).eval()
    with torch.no_grad():
        torch.testing.assert_close(backbone(look([5, 9, 12])), plain(look([5, 9, 12])), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_slowed_down_it_is_as_it_was(architecture: str) -> None:
    backbone, untouched = Backbone(tiny_model(architecture)), Backbone(tiny_model(architecture))
    quicken(backbone)
    assert any(type(module) is CheapDropout for module in backbone.modules())
    slow_down(backbone)
    assert [type(module) for module in backbone.modules()] == [type(module) for module in untouched.modules()]
    assert backbone.model.config._attn_implementation == untouched.model.config._attn_implementation
    rates = [module.p for module in backbone.modules() if isinstance(module, nn.Dropout)]
    assert rates == [module.p for module in untouched.modules() if isinstance(module, nn.Dropout)]


def test_attention_of_the_users_choice_stays() -> None:
    backbone = Backbone(tiny_model("bert"))
    backbone.model.config._attn_implementation = "eager"
    quicken(backbone)
    slow_down(backbone)
    assert backbone.model.config._attn_implementation == "eager"
