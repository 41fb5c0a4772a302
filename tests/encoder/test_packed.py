"""Packed is padded: vectors and gradients, on every architecture, with every view, up to 300 tokens."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.encoder.tiny import ARCHITECTURES, tiny_model
from tests.views.looks import generator, look
from twinset.encoder.architecture import can_pack
from twinset.encoder.backbone import Backbone
from twinset.encoder.packing import pack
from twinset.encoder.pooling import POOLINGS, Pooling
from twinset.types import Look, View
from twinset.views import Compose, EmbeddingDropout, FeatureCutoff, TokenCutoff, TokenShuffle, Unchanged

LONGEST = 300
LENGTHS = [3, 300, 20, 7, 150, 2, 31, 90, 5, 12, 260, 4]  # the longest exceed ModernBERT's window of 128
VIEWS: dict[str, View] = {
    "as it is": Unchanged(),
    "token shuffle": TokenShuffle(),
    "token cutoff": TokenCutoff(rate=0.3),
    "feature cutoff": FeatureCutoff(),
    "embedding dropout": EmbeddingDropout(),
    "all of them": Compose(
        views=(TokenCutoff(), FeatureCutoff(), EmbeddingDropout(rate=0.1), TokenShuffle())
    ),
}

everywhere = pytest.mark.parametrize("architecture", ARCHITECTURES)


def encoder(architecture: str, pooling: Pooling = "mean") -> Backbone:
    backbone = Backbone(tiny_model(architecture, longest=LONGEST).eval(), pooling=pooling)
    assert backbone.packs
    return backbone


def both_ways(backbone: Backbone, given: Look) -> list[tuple[Tensor, dict[str, Tensor]]]:
    """Vectors and gradients, padded and packed, of a mean that sees every number of the vectors."""
    assert pack(given.tokens.lengths.tolist(), given.tokens.input_ids.shape[1]) is not None
    results: list[tuple[Tensor, dict[str, Tensor]]] = []
    for packs in (False, True):
        backbone.packs = packs
        backbone.zero_grad()
        found = backbone(given)
        weights = torch.linspace(-1, 1, found.numel(), dtype=found.dtype).view_as(found)
        (found * weights).sum(dim=1).mean().backward()
        named = {name: p.grad.clone() for name, p in backbone.named_parameters() if p.grad is not None}
        results.append((found.detach(), named))
    return results


# In double precision nothing but a fault can set them apart; in single precision sums are rounded.
@everywhere
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-10), (torch.float32, 1e-5)], ids=str)
def test_vectors_and_gradients(architecture: str, name: str, dtype: torch.dtype, tolerance: float) -> None:
    backbone = encoder(architecture).to(dtype)
    given = VIEWS[name](look(LENGTHS), width=backbone.width, generator=generator())
    (padded, wanted), (packed, found) = both_ways(backbone, given)
    torch.testing.assert_close(packed, padded, rtol=tolerance, atol=tolerance)
    assert wanted.keys() == found.keys()
    scale = max(float(value.abs().max()) for value in wanted.values())
    assert scale > 0.01
    for key, value in wanted.items():
        assert float((value - found[key]).abs().max()) <= tolerance * max(1.0, scale), key


@everywhere
@pytest.mark.parametrize("pooling", POOLINGS)
def test_every_pooling(architecture: str, pooling: Pooling) -> None:
    backbone = encoder(architecture, pooling)
    given = TokenShuffle()(look(LENGTHS), width=backbone.width, generator=generator())
    (padded, _), (packed, _) = both_ways(backbone, given)
    torch.testing.assert_close(packed, padded, rtol=1e-5, atol=1e-5)


@everywhere
def test_shuffling_acts_on_packed_rows(architecture: str) -> None:
    """Also where positions are relative or rotary."""
    backbone = encoder(architecture)
    plain = look(LENGTHS)
    shuffled = TokenShuffle()(plain, width=backbone.width, generator=generator())
    with torch.no_grad():
        apart = (backbone(plain) - backbone(shuffled)).abs().amax(dim=1)
    assert float(apart.min()) > 1e-3


@everywhere
def test_a_perturbation_has_its_gradient(architecture: str) -> None:
    backbone = encoder(architecture)
    plain = look(LENGTHS)
    found: list[Tensor] = []
    for packs in (False, True):
        backbone.packs = packs
        nothing = torch.zeros(len(LENGTHS), LONGEST, backbone.width, requires_grad=True)
        vectors = backbone(Look(tokens=plain.tokens, add=nothing))
        (gradient,) = torch.autograd.grad(vectors.square().sum(), nothing)
        found.append(gradient)
    torch.testing.assert_close(found[1], found[0], rtol=1e-5, atol=1e-5)
    assert float(found[0].abs().max()) > 1e-3


@everywhere
def test_the_rows_are_really_packed(architecture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backbone = encoder(architecture)
    shapes: list[tuple[int, ...]] = []
    embed = backbone.embeddings.forward

    def watched(*args: Tensor, **named: Tensor) -> Tensor:
        ids = named.get("input_ids", args[0] if args else None)
        assert ids is not None
        shapes.append(tuple(ids.shape))
        return embed(*args, **named)

    monkeypatch.setattr(backbone.embeddings, "forward", watched)
    backbone(look([5, 9, 40, 3, 12, 60, 7]))
    assert shapes == [(3, 64)]


@everywhere
def test_low_precision_is_near(architecture: str) -> None:
    backbone, given = encoder(architecture), look(LENGTHS)
    with torch.no_grad():
        plain = backbone(given)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            low = backbone(given)
            states = backbone.hidden_states(given, layers=(0, -1))
    assert torch.cosine_similarity(plain, low.float()).min() > 0.99
    assert {state.dtype for state in states} == {torch.bfloat16}


def test_another_architecture_is_padded() -> None:
    model = tiny_model("bert")
    model.config.model_type = "nobody's"
    assert not can_pack(model)
    backbone = Backbone(model.eval())
    assert not backbone.packs
    assert len(backbone(look([5, 9, 40, 3, 12, 60, 7]))) == 7
