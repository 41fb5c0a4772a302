from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from twinset.baselines.flow_settings import FlowSettings
from twinset.baselines.glow import ActNorm, Coupling, Glow


def _flow(size: int = 9, *, levels: int = 3, depth: int = 2, coupling: str = "affine") -> Glow:
    """A flow that does something everywhere: the last layers of its couplings are drawn, not zero."""
    settings = FlowSettings(levels=levels, depth=depth, width=7, coupling=coupling)  # type: ignore[arg-type]
    flow = Glow(size, settings, torch.Generator().manual_seed(0)).double()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in flow.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return flow


def _points(rows: int = 4, size: int = 9) -> Tensor:
    generator = torch.Generator().manual_seed(2)
    return 2 * torch.randn(rows, size, generator=generator, dtype=torch.float64) + 1


@pytest.mark.parametrize("coupling", ["additive", "affine"])
@pytest.mark.parametrize("size", [8, 9, 5])
def test_there_and_back(coupling: str, size: int) -> None:
    flow, points = _flow(size, coupling=coupling), _points(size=size)
    there, _ = flow(points)
    assert not torch.allclose(there, points)
    torch.testing.assert_close(flow.inverse(there), points)
    torch.testing.assert_close(flow(flow.inverse(points))[0], points)


@pytest.mark.parametrize("coupling", ["additive", "affine"])
@pytest.mark.parametrize("size", [8, 9, 5])
def test_the_determinant_is_that_of_the_jacobian(coupling: str, size: int) -> None:
    flow, points = _flow(size, coupling=coupling), _points(size=size)
    _, log_det = flow(points)
    for point, found in zip(points, log_det, strict=True):
        jacobian = torch.autograd.functional.jacobian(lambda x: flow(x[None])[0][0], point)
        assert isinstance(jacobian, Tensor)
        torch.testing.assert_close(found, torch.linalg.slogdet(jacobian).logabsdet)


def test_the_likelihood_worked_out_by_hand() -> None:
    # Not started, a flow is a permutation: the density is the normal one.
    flow = Glow(4, FlowSettings(levels=2, depth=1, width=2), torch.Generator().manual_seed(0))
    found = flow.log_likelihood(torch.tensor([[1.0, 2.0, 0.0, 2.0]]))
    assert found.tolist() == pytest.approx([-4.5 - 2 * math.log(2 * math.pi)])


def test_the_density_sums_to_one() -> None:
    flow = _flow(2, levels=1, depth=2)
    line = torch.linspace(-40, 40, 1601, dtype=torch.float64)
    grid = torch.cartesian_prod(line, line)
    assert flow.log_likelihood(grid).exp().sum().item() * 0.05**2 == pytest.approx(1, abs=2e-3)


def test_actnorm_starts_with_mean_zero_and_variance_one() -> None:
    norm, points = ActNorm(9).double(), _points(50)
    started = norm.start(points)
    torch.testing.assert_close(started, norm(points))
    torch.testing.assert_close(started.mean(dim=0), torch.zeros(9, dtype=torch.float64))
    torch.testing.assert_close(started.var(dim=0, correction=0), torch.ones(9).double(), rtol=1e-4, atol=1e-4)


def test_a_started_flow_gives_the_first_batch_mean_zero_and_variance_one() -> None:
    flow = Glow(9, FlowSettings(width=5), torch.Generator().manual_seed(0)).double()
    points = _points(50)
    flow.start(points)
    there, _ = flow(points)
    torch.testing.assert_close(there.mean(dim=0), torch.zeros(9).double(), rtol=0, atol=1e-4)
    torch.testing.assert_close(there.var(dim=0, correction=0), torch.ones(9).double(), rtol=0, atol=1e-4)


def test_hidden_layers_start_from_the_batch_too() -> None:
    coupling = Coupling(9, FlowSettings(width=5), torch.Generator().manual_seed(0)).double()
    points = _points(50)
    coupling.start(points)
    state = coupling.norms[0](coupling.hidden[0](points[:, :5]))
    torch.testing.assert_close(state.var(dim=0, correction=0), torch.ones(5).double(), rtol=0, atol=1e-3)


def test_later_levels_start_from_the_half_that_goes_on() -> None:
    flow = Glow(9, FlowSettings(width=5), torch.Generator().manual_seed(0)).double()
    x = _points(50)
    flow.start(x)
    for step in flow.levels[0]:  # type: ignore[union-attr]
        x, _ = step(x)
    step = flow.levels[1][0]  # type: ignore[index]
    kept = step.norm(x[:, :5]).flip(1)[:, :3]
    state = step.coupling.norms[0](step.coupling.hidden[0](kept))
    torch.testing.assert_close(state.var(dim=0, correction=0), torch.ones(5).double(), rtol=0, atol=1e-3)


def test_a_dimension_that_does_not_vary_stays_finite() -> None:
    flow = Glow(6, FlowSettings(levels=2, width=5), torch.Generator().manual_seed(0))
    points = torch.randn(20, 6, generator=torch.Generator().manual_seed(0))
    points[:, 2] = 1
    flow.start(points)
    assert torch.isfinite(flow.log_likelihood(points)).all()


def test_couplings_begin_as_nothing_and_keep_the_first_half() -> None:
    points = _points()
    for kind, factor in (("additive", 1.0), ("affine", 1 / (1 + math.exp(-2)))):
        settings = FlowSettings(width=5, coupling=kind)  # type: ignore[arg-type]
        coupling = Coupling(9, settings, torch.Generator().manual_seed(0)).double()
        found, _ = coupling(points)
        torch.testing.assert_close(found[:, :5], points[:, :5])
        torch.testing.assert_close(found[:, 5:], points[:, 5:] * factor)


def test_one_half_is_done_at_each_level() -> None:
    flow = _flow(9)
    assert flow.sizes == [9, 5, 3]
    with torch.no_grad():
        for parameter in flow.levels[1:].parameters():
            parameter.zero_()
    there, _ = flow(_points())
    changed = _flow(9)(_points())[0]
    torch.testing.assert_close(there[:, :4], changed[:, :4])  # done after the first level


def test_it_draws_from_its_generator_only() -> None:
    before = torch.get_rng_state()
    _flow()
    assert torch.equal(before, torch.get_rng_state())
