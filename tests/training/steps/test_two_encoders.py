"""A second encoder is an entry in `embedders`: a query tower beside a document tower, or a frozen teacher."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.encoder.tiny import ARCHITECTURES
from tests.training.steps.scenes import assert_same, backbone, gradients, scene
from twinset.encoder.backbone import Backbone
from twinset.objectives import InfoNCE
from twinset.training.steps import Adversarial, Cached, Plain, Scene

OBJECTIVE = InfoNCE(temperature=0.2)


def played(first: Backbone, second: Backbone, **changes: object) -> Scene:
    """Views 0 and 2 by the first encoder, view 1 by the second."""
    return scene(first, OBJECTIVE, embedders=(first, second, first), earlier=None, **changes)


def oracle(given: Scene) -> dict[str, torch.Tensor]:
    first, second, _ = given.embedders
    assert isinstance(first, Backbone)
    assert isinstance(second, Backbone)
    views = tuple(embed(look) for embed, look in zip(given.embedders, given.looks, strict=True))
    value = OBJECTIVE(given.embedded(views)).value
    named = [*(("0." + name, p) for name, p in first.named_parameters())]
    named += [*(("1." + name, p) for name, p in second.named_parameters() if p.requires_grad)]
    found = torch.autograd.grad(value, [p for _, p in named], allow_unused=True)
    grads = {
        name: torch.zeros_like(p) if grad is None else grad
        for (name, p), grad in zip(named, found, strict=True)
    }
    for name, p in second.named_parameters():
        grads.setdefault("1." + name, torch.zeros_like(p))
    return grads


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("budget", [None, 33])
def test_both_learn(architecture: str, budget: int | None) -> None:
    first, second = backbone(architecture, dropout=0), backbone(architecture, seed=1, dropout=0)
    given = played(first, second, chunk_tokens=budget)
    expected = oracle(given)
    for step in (Plain(), Cached()):
        _, found = gradients(step, given)
        assert_same(expected, found)
    assert all(any(float(v.abs().max()) > 1e-4 for k, v in expected.items() if k[0] == t) for t in "01")


@pytest.mark.parametrize("step", [Plain(), Cached()], ids=repr)
def test_a_frozen_second_encoder_gets_no_gradient(step: Plain | Cached) -> None:
    first, second = backbone("bert", dropout=0), backbone("bert", seed=1, dropout=0)
    second.requires_grad_(requires_grad=False)
    given = played(first, second, chunk_tokens=60)
    expected = oracle(given)
    _, found = gradients(step, given)
    assert_same(expected, found)
    assert all(parameter.grad is None for parameter in second.parameters())


def test_two_architectures_cached_as_plain_dropout_included() -> None:
    # ModernBERT's embedding layer is as wide as BERT's here, so that one set of looks serves both.
    given = played(backbone("bert"), backbone("modernbert", seed=1), chunk_tokens=60)
    plain, wanted = gradients(Plain(), given)
    cached, found = gradients(Cached(), given)
    torch.testing.assert_close(plain.loss.value, cached.loss.value)
    assert_same(wanted, found)


def test_the_attacked_view_goes_through_its_own_encoder() -> None:
    first, second = backbone("bert", dropout=0), backbone("bert", seed=1, dropout=0)
    given = played(first, second)
    outcome, _ = gradients(Adversarial(attack=OBJECTIVE, of=1, size=0.0), given)
    with torch.no_grad():
        expected = second(given.looks[1])
    torch.testing.assert_close(outcome.embedded.views[3], expected, rtol=1e-4, atol=1e-5)


def test_two_encoders_with_the_same_weights_draw_their_own_dropout() -> None:
    first, second = backbone("bert"), backbone("bert")
    given = played(first, second)
    given = replace(given, looks=(given.looks[0],) * 2, embedders=(first, second))
    outcome, _ = gradients(Plain(), given)
    assert not torch.allclose(outcome.embedded.views[0], outcome.embedded.views[1])
