"""Every objective through every step on every architecture: the joint that everything hangs on.

The scene has all there is: three looks with every operator, texts of very different lengths, equal texts,
labels, graded scores, a queue with weights, references, weights of the objective's own, dropout on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import torch

from tests.encoder.tiny import ARCHITECTURES
from tests.objectives.hard_shapes import every_objective
from tests.training.steps.scenes import assert_same, backbone, gradients, scene
from twinset.objectives import InfoNCE
from twinset.training.steps import Adversarial, Cached, Plain, Scene

OBJECTIVES = every_objective()
BUDGETS = (None, 33)


@cache
def play(architecture: str, name: str, *, dropout: float) -> Scene:
    return scene(backbone(architecture, dropout=dropout), OBJECTIVES[name])


everywhere = pytest.mark.parametrize(
    ("architecture", "name"),
    [(architecture, name) for architecture in ARCHITECTURES for name in OBJECTIVES],
)


@everywhere
def test_cached_is_plain_dropout_included(architecture: str, name: str) -> None:
    played = play(architecture, name, dropout=0.1)
    for budget in BUDGETS:
        cut = replace(played, chunk_tokens=budget)
        plain, wanted = gradients(Plain(), cut)
        cached, found = gradients(Cached(), cut)
        torch.testing.assert_close(cached.loss.value, plain.loss.value, rtol=1e-5, atol=1e-5)
        for first, second in zip(plain.embedded.views, cached.embedded.views, strict=True):
            torch.testing.assert_close(first, second)
        assert_same(wanted, found)
        assert any(float(value.abs().max()) > 1e-4 for value in wanted.values())
        assert all(float(value.abs().max()) > 0 for key, value in wanted.items() if key.startswith("own."))


@everywhere
def test_cached_is_plain_inside_the_adversarial_step(architecture: str, name: str) -> None:
    played = replace(play(architecture, name, dropout=0.1), chunk_tokens=60)
    attack = OBJECTIVES[name]
    plain, wanted = gradients(Adversarial(attack=attack, scale="token", inner=Plain()), played)
    cached, found = gradients(Adversarial(attack=attack, scale="token", inner=Cached()), played)
    torch.testing.assert_close(cached.loss.value, plain.loss.value, rtol=1e-5, atol=1e-5)
    assert_same(wanted, found)
    assert len(plain.embedded.views) == len(cached.embedded.views) == 4


@everywhere
def test_chunks_change_nothing(architecture: str, name: str) -> None:
    played = play(architecture, name, dropout=0)
    whole, wanted = gradients(Plain(), played)
    for step, budget in ((Plain(), 33), (Cached(), 1)):
        outcome, found = gradients(step, replace(played, chunk_tokens=budget))
        torch.testing.assert_close(outcome.loss.value, whole.loss.value, rtol=1e-5, atol=1e-5)
        assert_same(wanted, found)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_chunks_change_nothing_in_the_adversarial_step(architecture: str) -> None:
    # A raw gradient: divided by its length, rounding errors of tokens that hardly matter would show.
    step = Adversarial(attack=InfoNCE(temperature=0.5), of=1, scale="raw")
    played = replace(play(architecture, "InfoNCE-0", dropout=0), objective=InfoNCE(temperature=0.5))
    whole, wanted = gradients(step, played)
    outcome, found = gradients(replace(step, inner=Cached()), replace(played, chunk_tokens=33))
    torch.testing.assert_close(outcome.loss.value, whole.loss.value, rtol=1e-5, atol=1e-5)
    assert_same(wanted, found)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("step", [Plain(), Cached(), Adversarial(attack=InfoNCE())], ids=repr)
def test_dropout_is_on_and_a_function_of_the_seed(
    architecture: str, step: Plain | Cached | Adversarial
) -> None:
    played = replace(play(architecture, "InfoNCE-0", dropout=0.1), chunk_tokens=60)
    first, wanted = gradients(step, played)
    torch.manual_seed(1234)
    again, found = gradients(step, played)
    other, _ = gradients(step, replace(played, seed=12))
    assert torch.equal(first.loss.value, again.loss.value)
    assert all(torch.equal(value, found[name]) for name, value in wanted.items())
    assert not torch.allclose(first.loss.value, other.loss.value)


@pytest.mark.parametrize("step", [Plain(), Cached(), Adversarial(attack=InfoNCE())], ids=repr)
def test_gradients_are_added_to_what_is_there(step: Plain | Cached | Adversarial) -> None:
    played = play("bert", "Head", dropout=0.1)
    _, once = gradients(step, played)
    step(played)
    named = dict(played.weights)
    twice = {f"own.{name}": value.grad for name, value in named.items()}
    for name, value in twice.items():
        assert value is not None
        torch.testing.assert_close(value, 2 * once[name])


@pytest.mark.parametrize("step", [Plain(), Cached(), Adversarial(attack=InfoNCE())], ids=repr)
def test_what_is_handed_back_carries_no_gradient(step: Plain | Cached | Adversarial) -> None:
    outcome, _ = gradients(step, play("bert", "InfoNCE-0", dropout=0.1))
    assert not outcome.loss.value.requires_grad
    assert not any(view.requires_grad for view in outcome.embedded.views)
    assert not any(part.requires_grad for part in outcome.loss.parts.values())
