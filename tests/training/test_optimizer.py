from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from twinset.errors import RecipeError
from twinset.training.optimizer import AdamW

UPDATES = 50


def model(dtype: torch.dtype) -> nn.Module:
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(5, 4), nn.LayerNorm(4), nn.Linear(4, 2)).to(dtype)


def gradients(parameters: list[nn.Parameter]) -> list[list[torch.Tensor]]:
    generator = torch.Generator().manual_seed(5)
    return [
        [torch.randn(p.shape, generator=generator, dtype=torch.float64) for p in parameters]
        for _ in range(UPDATES)
    ]


def by_hand(
    start: list[torch.Tensor], given: list[list[torch.Tensor]], settings: AdamW, *, lr: float
) -> list[torch.Tensor]:
    """m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; w -= lr m / (sqrt(v) + eps) + lr wd w, number by number."""
    found = []
    first, second = settings.betas
    for place, weight in enumerate(start):
        decay = settings.weight_decay if weight.ndim > 1 else 0.0
        flat = weight.double().flatten().tolist()
        for number, value in enumerate(flat):
            w, m, v = value, 0.0, 0.0
            for update in range(UPDATES):
                g = given[update][place].flatten()[number].item()
                m = first * m + (1 - first) * g
                v = second * v + (1 - second) * g * g
                rate = lr * (update + 1) / UPDATES
                w -= rate * m / (math.sqrt(v) + settings.eps) + rate * decay * w
            flat[number] = w
        found.append(torch.tensor(flat, dtype=torch.float64).view_as(weight))
    return found


def trained(settings: AdamW, net: nn.Module, *, lr: float) -> list[torch.Tensor]:
    parameters = list(net.parameters())
    optimizer = settings.build(net, {}, (lr, lr))
    for update, given in enumerate(gradients(parameters)):
        for parameter, gradient in zip(parameters, given, strict=True):
            parameter.grad = gradient.to(parameter.dtype)
        settings.set_rates(optimizer, (update + 1) / UPDATES, update + 1)
        optimizer.step()
    return [parameter.detach() for parameter in parameters]


@pytest.mark.parametrize(("dtype", "rtol"), [(torch.float64, 1e-10), (torch.float32, 2e-4)])
def test_without_correction_equals_the_plain_loop(dtype: torch.dtype, rtol: float) -> None:
    settings = AdamW(bias_correction=False, weight_decay=0.1, eps=1e-3, betas=(0.8, 0.95))
    net = model(dtype)
    start = [parameter.detach().clone() for parameter in net.parameters()]
    expected = by_hand(start, gradients(list(net.parameters())), settings, lr=0.01)
    for found, wanted in zip(trained(settings, net, lr=0.01), expected, strict=True):
        torch.testing.assert_close(found.double(), wanted, rtol=rtol, atol=rtol / 10)


def test_without_correction_the_first_update_is_larger_with_bert_s_betas() -> None:
    moved = {}
    for corrected in (True, False):
        net = model(torch.float64)
        before = net[0].weight.detach().clone()
        settings = AdamW(bias_correction=corrected, weight_decay=0.0)
        optimizer = settings.build(net, {}, (1e-3, 1e-3))
        for parameter in net.parameters():
            parameter.grad = torch.ones_like(parameter)
        settings.set_rates(optimizer, 1.0, 1)
        optimizer.step()
        moved[corrected] = float((before - net[0].weight.detach()).mean())
    # corrected: lr; not corrected: lr (1 - b1) / sqrt(1 - b2) = lr 0.1 / 0.0316
    assert moved[True] == pytest.approx(1e-3, rel=1e-6)
    assert moved[False] == pytest.approx(1e-3 * 0.1 / math.sqrt(0.001), rel=1e-5)


def test_with_correction_equals_torch() -> None:
    settings = AdamW(weight_decay=0.1, eps=1e-3, betas=(0.8, 0.95))
    net, twin = model(torch.float64), model(torch.float64)
    found = trained(settings, net, lr=0.01)
    two = [p for p in twin.parameters() if p.ndim > 1]
    one = [p for p in twin.parameters() if p.ndim == 1]
    groups = [{"params": two, "weight_decay": 0.1}, {"params": one, "weight_decay": 0.0}]
    oracle = torch.optim.AdamW(groups, lr=0.01, betas=(0.8, 0.95), eps=1e-3)
    for update, given in enumerate(gradients(list(twin.parameters()))):
        for group in oracle.param_groups:
            group["lr"] = 0.01 * (update + 1) / UPDATES
        for parameter, gradient in zip(twin.parameters(), given, strict=True):
            parameter.grad = gradient
        oracle.step()
    for mine, wanted in zip(found, twin.parameters(), strict=True):
        torch.testing.assert_close(mine, wanted.detach(), rtol=1e-12, atol=1e-12)


def test_biases_gains_and_objective_weights_do_not_decay() -> None:
    net = model(torch.float32)
    own = {"margin": nn.Parameter(torch.ones(2, 2))}
    settings = AdamW(weight_decay=0.5)
    optimizer = settings.build(net, own, (1e-3, 1e-3))
    settings.set_rates(optimizer, 1.0, 1)
    decays = {id(p): group["weight_decay"] for group in optimizer.param_groups for p in group["params"]}
    assert decays[id(net[0].weight)] == decays[id(net[2].weight)] == 0.5
    for spared in (net[0].bias, net[1].weight, net[1].bias, net[2].bias, own["margin"]):
        assert decays[id(spared)] == 0.0
    assert len(decays) == 7


def test_frozen_parameters_are_left_out() -> None:
    net = model(torch.float32)
    net[0].requires_grad_(requires_grad=False)
    groups = AdamW().build(net, {}, (1e-3, 1e-3)).param_groups
    assert sum(len(group["params"]) for group in groups) == 4


@pytest.mark.parametrize("corrected", [True, False])
def test_objective_weights_have_a_rate_of_their_own(corrected: bool) -> None:
    net = nn.Linear(2, 2, bias=False)
    own = nn.Parameter(torch.zeros(2, 2))
    settings = AdamW(weight_decay=0.0, bias_correction=corrected)
    optimizer = settings.build(net, {"own": own}, (1e-3, 5e-2))
    before = net.weight.detach().clone()
    net.weight.grad, own.grad = torch.ones(2, 2), torch.ones(2, 2)
    settings.set_rates(optimizer, 0.5, 1)
    optimizer.step()
    ratio = (own.detach().abs() / (before - net.weight.detach())).mean()
    assert float(ratio) == pytest.approx(50.0, rel=1e-3)


@pytest.mark.parametrize(
    "settings", [{"betas": (0.9, 1.0)}, {"betas": (-0.1, 0.9)}, {"eps": 0.0}, {"weight_decay": -1.0}]
)
def test_impossible_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(RecipeError, match=f"optimizer.*{next(iter(settings))}"):
        AdamW(**settings)  # type: ignore[arg-type]
