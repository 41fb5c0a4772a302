from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from torch import nn

from tests.encoder.graphs import opened
from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from twinset.encoder import Encoder, encode, ready
from twinset.encoder.head import Dense
from twinset.encoder.ready import ReadyLinear, made_ready

if TYPE_CHECKING:
    from twinset.encoder.backbone import Backbone
    from twinset.encoder.pooling import Pooling

pytestmark = pytest.mark.skipif(not ready._can_block(), reason="this build of torch has no oneDNN")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Few texts are many enough; what was made ready is listed."""
    made: list[str] = []

    def noted(backbone: Backbone, precision: str) -> Backbone | None:
        made.append(precision)
        return made_ready(backbone, precision)

    monkeypatch.setattr(encode, "WORTH_IT", 0)
    monkeypatch.setattr(encode, "made_ready", noted)
    return made


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_same_vectors(architecture: str, always: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = tiny_encoder(architecture)
    found = encoder.encode(SENTENCES)
    low = encoder.encode(SENTENCES, precision="bf16")
    assert always == ["fp32", "bf16"]
    monkeypatch.setattr(encode, "WORTH_IT", 10**9)
    exact = encoder.encode(SENTENCES)
    np.testing.assert_allclose(found, exact, atol=1e-5)
    assert cosines(low, exact).min() > 0.999
    assert np.abs(low - exact).max() > 1e-4, "bf16 is not fp32"


def test_of_a_graph_nothing_is_made_ready() -> None:
    assert made_ready(opened("onnx").backbone, "fp32") is None


def test_every_dense_layer_is_in_blocks_and_the_encoder_is_left_alone() -> None:
    backbone = tiny_encoder("bert").backbone
    before = {name: value.clone() for name, value in backbone.state_dict().items()}
    made = made_ready(backbone, "bf16")
    assert made is not None
    assert not any(type(module) is nn.Linear for module in made.model.modules())
    assert sum(isinstance(module, ReadyLinear) for module in made.model.modules()) == 3 * 6
    assert not made.training
    assert backbone.training
    after = backbone.state_dict()
    assert all(
        value.dtype == torch.float32 and torch.equal(value, after[name]) for name, value in before.items()
    )
    assert {value.dtype for value in made.model.parameters()} == {torch.bfloat16}


def test_a_gelu_is_worked_out_with_the_product_before_it() -> None:
    backbone = tiny_encoder("bert").backbone
    made = made_ready(backbone, "fp32")
    assert made is not None
    joined = [
        module for module in made.modules() if isinstance(module, ReadyLinear) and module._then == "gelu"
    ]
    assert len(joined) == 3
    states = torch.randn(9, joined[0]._weight.shape[-1])
    layer = backbone.model.encoder.layer[0].intermediate
    torch.testing.assert_close(
        joined[0](states), nn.functional.gelu(layer.dense(states)), atol=1e-6, rtol=1e-5
    )
    assert type(layer.intermediate_act_fn) is not nn.Identity, "the encoder's own is left alone"


def test_another_activation_stays_where_it_is() -> None:
    backbone = tiny_encoder("bert").backbone
    for layer in backbone.model.encoder.layer:
        layer.intermediate.intermediate_act_fn = nn.GELU(approximate="tanh")
    made = made_ready(backbone, "fp32")
    assert made is not None
    assert not any(module._then == "gelu" for module in made.modules() if isinstance(module, ReadyLinear))


def test_attention_is_ours_in_bf16_alone() -> None:
    backbone = tiny_encoder("bert").backbone
    low, exact = made_ready(backbone, "bf16"), made_ready(backbone, "fp32")
    assert low is not None
    assert exact is not None
    kinds = [made.model.config._attn_implementation for made in (low, exact, backbone)]
    assert kinds == ["twinset", "sdpa", "sdpa"]


def test_in_single_precision_what_is_not_dense_is_shared() -> None:
    backbone = tiny_encoder("bert").backbone
    made = made_ready(backbone, "fp32")
    assert made is not None
    own = {id(value) for value in backbone.parameters()}
    assert {id(value) for value in made.parameters()} <= own


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_the_dense_layers_after_the_pooling_stay_exact(pooling: Pooling, always: list[str]) -> None:
    encoder = tiny_encoder("bert", pooling=pooling)
    torch.manual_seed(0)
    encoder.backbone.head.append(Dense(nn.Linear(32, 8), nn.Tanh()))
    found = encoder.encode(SENTENCES, precision="bf16")
    assert cosines(found, encoder.encode(SENTENCES)).min() > 0.999
    assert found.shape == (10, 8)


def test_few_tokens_are_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("made ready")

    monkeypatch.setattr(encode, "made_ready", never)
    tiny_encoder("bert").encode(SENTENCES)
    with pytest.raises(AssertionError, match="made ready"):
        tiny_encoder("bert").encode(SENTENCES * 30)


def test_weights_that_change_are_seen(always: list[str]) -> None:
    encoder = tiny_encoder("bert")
    before = encoder.encode(SENTENCES)
    with torch.no_grad():
        for value in encoder.backbone.parameters():
            value.add_(0.01)
    assert np.abs(encoder.encode(SENTENCES) - before).max() > 1e-3


def test_without_the_operations_the_encoder_works_as_it_is(
    always: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tiny_encoder("bert").encode(SENTENCES)
    monkeypatch.setattr(ready, "_operations", object)
    assert made_ready(tiny_encoder("bert").backbone, "bf16") is None
    np.testing.assert_allclose(tiny_encoder("bert").encode(SENTENCES), expected, atol=1e-6)


def test_the_built_in_encoder_points_where_it_does_unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{first}, and {second}" for first in SENTENCES for second in SENTENCES] * 2
    encoder = Encoder.mini(device="cpu")
    assert len(encoder.tokenize(texts).ids) > encode.WORTH_IT
    found, low = (encoder.encode(texts, precision=precision) for precision in ("fp32", "bf16"))
    monkeypatch.setattr(encode, "WORTH_IT", 10**9)
    exact = encoder.encode(texts, precision="fp32")
    np.testing.assert_allclose(found, exact, atol=1e-4)  # components are of size 1
    assert cosines(found, exact).min() > 1 - 1e-6
    assert 0.999 < cosines(low, exact).min() < 1
