from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.encoder.tiny import ARCHITECTURES, tiny_encoder
from twinset.encoder.backbone import Backbone
from twinset.training.dropout import dropout_rates, restore_dropout, set_dropout
from twinset.types import Look

every_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES)


def made(architecture: str) -> tuple[Backbone, Look]:
    encoder = tiny_encoder(architecture)
    store = encoder.tokenize(["a cat sat on the mat", "the dog runs in the park"])
    return encoder.backbone, Look(tokens=store.take(torch.arange(2)))


def vectors(backbone: Backbone, look: Look, seed: int) -> Tensor:
    torch.manual_seed(seed)
    return backbone(look).detach()


def attention_rates(backbone: Backbone, look: Look, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The rates that the attention layers really work with, seen where the library drops."""
    seen: list[float] = []
    plain, fused = functional.dropout, functional.scaled_dot_product_attention

    def dropping(states: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
        if states.ndim == 4 and training:
            seen.append(p)
        return plain(states, p, training, inplace)

    def attending(*args: Tensor, dropout_p: float = 0.0, **settings: object) -> Tensor:
        seen.append(dropout_p)
        return fused(*args, dropout_p=dropout_p, **settings)

    with monkeypatch.context() as patch:
        patch.setattr(functional, "dropout", dropping)
        patch.setattr(functional, "scaled_dot_product_attention", attending)
        backbone(look)
    return seen


@every_architecture
def test_rate_zero_makes_two_passes_equal(architecture: str) -> None:
    backbone, look = made(architecture)
    set_dropout(backbone, 0.0)
    assert torch.equal(vectors(backbone, look, 1), vectors(backbone, look, 2))


@every_architecture
def test_a_rate_makes_two_passes_differ(architecture: str) -> None:
    backbone, look = made(architecture)
    set_dropout(backbone, 0.5)
    assert not torch.allclose(vectors(backbone, look, 1), vectors(backbone, look, 2))
    assert torch.equal(vectors(backbone, look, 1), vectors(backbone, look, 1))


@every_architecture
def test_a_rate_acts_otherwise_than_the_config_s(architecture: str) -> None:
    backbone, look = made(architecture)
    set_dropout(backbone, None)
    own = vectors(backbone, look, 1)
    set_dropout(backbone, 0.5)
    assert not torch.allclose(own, vectors(backbone, look, 1))


@every_architecture
@pytest.mark.parametrize("rate", [0.35, 0.5])
def test_attention_drops_at_the_rate(architecture: str, rate: float, monkeypatch: pytest.MonkeyPatch) -> None:
    backbone, look = made(architecture)
    set_dropout(backbone, rate)
    seen = attention_rates(backbone, look, monkeypatch)
    assert len(seen) >= 2  # one a layer
    assert set(seen) == {rate}


@every_architecture
def test_every_dropout_module_has_the_rate(architecture: str) -> None:
    backbone, _ = made(architecture)
    set_dropout(backbone, 0.35)
    rates = dropout_rates(backbone)
    assert set(rates.values()) == {0.35}
    # One at the embeddings; in each layer at attention, its output and the feed-forward's (DistilBERT's
    # attention has none at its output).
    layers = backbone.model.config.num_hidden_layers
    assert len(rates) == 1 + layers * (2 if architecture == "distilbert" else 3)


@every_architecture
def test_restored_it_is_as_it_was(architecture: str) -> None:
    backbone, look = made(architecture)
    set_dropout(backbone, None)
    before, own = dropout_rates(backbone), vectors(backbone, look, 1)
    set_dropout(backbone, 0.5)
    restore_dropout(backbone, before)
    assert torch.equal(own, vectors(backbone, look, 1))
    after = dropout_rates(backbone)
    assert {place: after[place] for place in before} == before
    assert all(rate == 0.0 for place, rate in after.items() if place not in before)


def test_none_wakes_what_another_rate_put_to_sleep() -> None:
    layer = nn.Sequential(nn.Dropout(0.3))
    set_dropout(layer, 0.0)
    assert not layer[0].training
    set_dropout(layer, None)
    assert layer[0].training
    assert layer[0].p == 0.3
