"""A normalising flow for vectors, shaped like Glow: invertible, with a density that can be written down.

    log p(x) = log N(z; 0, I) + log |det dz/dx|,   z = f(x)

f is `levels` times: `depth` steps (actnorm, permutation, coupling); then the second half of the dimensions is
done and the first goes on. z (n, d) is what was done at each level, the last one's whole at the end.

    actnorm      y = (x + b) exp(s)                   s and b such that the first batch has mean 0, variance 1
    permutation  the dimensions in reverse
    coupling     y = [u, v + t(u)], u and v the halves of x; affine: y = [u, (v + t(u)) sigmoid(r(u) + 2)]

t, r: two hidden layers with actnorm and ReLU, and a last one that begins as zero. Kingma and Dhariwal 2018;
additive coupling Dinh et al. 2015; without convolutions, and with reversal in place of a learned 1x1
convolution, Li et al. 2020. Halves of odd sizes are ours: the first is the larger one.
"""

from __future__ import annotations

import math
from typing import cast, final

import torch
from torch import Tensor, nn

from twinset.baselines.flow_settings import FlowSettings

_SPEED = 3.0  # Glow learns s / 3 in place of s


@final
class ActNorm(nn.Module):
    """A scale and a shift of each dimension."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(size))
        self.slow_scale = nn.Parameter(torch.zeros(size))

    @torch.no_grad()
    def start(self, x: Tensor) -> Tensor:
        """Mean 0 and variance 1 for this batch."""
        self.shift.copy_(-x.mean(dim=0))
        deviation = (x + self.shift).square().mean(dim=0).sqrt()
        self.slow_scale.copy_(-torch.log(deviation + 1e-6) / _SPEED)
        return self(x)

    def forward(self, x: Tensor) -> Tensor:
        return (x + self.shift) * torch.exp(_SPEED * self.slow_scale)

    def inverse(self, y: Tensor) -> Tensor:
        return y * torch.exp(-_SPEED * self.slow_scale) - self.shift

    def log_det(self) -> Tensor:
        """The same for every x."""
        return _SPEED * self.slow_scale.sum()


@final
class Coupling(nn.Module):
    """The second half is moved by what the first half says."""

    def __init__(self, size: int, settings: FlowSettings, generator: torch.Generator) -> None:
        super().__init__()
        width = settings.width
        self.kept = (size + 1) // 2
        self.moved = size - self.kept
        self.affine = settings.coupling == "affine"
        self.hidden = nn.ModuleList([_linear(self.kept, width, generator), _linear(width, width, generator)])
        self.norms = nn.ModuleList([ActNorm(width), ActNorm(width)])
        said = self.moved * (2 if self.affine else 1)
        self.last = cast("nn.Linear", nn.utils.skip_init(nn.Linear, width, said))
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)
        self.slow_scale = nn.Parameter(torch.zeros(said))

    @torch.no_grad()
    def start(self, x: Tensor) -> Tensor:
        """Hidden layers of mean 0 and variance 1 for this batch."""
        state = x[:, : self.kept]
        for linear, norm in zip(self.hidden, self.norms, strict=True):
            state = torch.relu(cast("ActNorm", norm).start(linear(state)))
        return self(x)[0]

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        kept, moved = x.split((self.kept, self.moved), dim=1)
        shift, log_scale = self._read(kept)
        return torch.cat([kept, (moved + shift) * log_scale.exp()], dim=1), log_scale.sum(dim=1)

    def inverse(self, y: Tensor) -> Tensor:
        kept, moved = y.split((self.kept, self.moved), dim=1)
        shift, log_scale = self._read(kept)
        return torch.cat([kept, moved * (-log_scale).exp() - shift], dim=1)

    def _read(self, kept: Tensor) -> tuple[Tensor, Tensor]:
        """Shift and log scale of the other half."""
        state = kept
        for linear, norm in zip(self.hidden, self.norms, strict=True):
            state = torch.relu(norm(linear(state)))
        found = self.last(state) * torch.exp(_SPEED * self.slow_scale)
        if not self.affine:
            return found, torch.zeros_like(found)
        shift, scale = found.chunk(2, dim=1)
        return shift, nn.functional.logsigmoid(scale + 2)


@final
class Step(nn.Module):
    """Actnorm, reversal, coupling."""

    def __init__(self, size: int, settings: FlowSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.norm = ActNorm(size)
        self.coupling = Coupling(size, settings, generator)

    def start(self, x: Tensor) -> Tensor:
        """Begin with this batch."""
        return self.coupling.start(self.norm.start(x).flip(1))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y, log_det = self.coupling(self.norm(x).flip(1))
        return y, log_det + self.norm.log_det()

    def inverse(self, y: Tensor) -> Tensor:
        return self.norm.inverse(self.coupling.inverse(y).flip(1))


@final
class Glow(nn.Module):
    """x (n, size) to z (n, size) and log |det dz/dx| (n,)."""

    def __init__(self, size: int, settings: FlowSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.sizes = [size]
        for _ in range(settings.levels - 1):
            self.sizes.append((self.sizes[-1] + 1) // 2)
        self.levels = nn.ModuleList(
            nn.ModuleList(Step(wide, settings, generator) for _ in range(settings.depth))
            for wide in self.sizes
        )

    @torch.no_grad()
    def start(self, x: Tensor) -> None:
        """Data-dependent initialisation: every actnorm from what this batch is when it gets there."""
        for wide, steps in zip(self.sizes, self.levels, strict=True):
            x = x[:, :wide]
            for step in cast("nn.ModuleList", steps):
                x = cast("Step", step).start(x)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        done: list[Tensor] = []
        log_det = x.new_zeros(len(x))
        for wide, steps in zip(self.sizes, self.levels, strict=True):
            if wide < x.shape[1]:
                x, rest = x.split((wide, x.shape[1] - wide), dim=1)
                done.append(rest)
            for step in cast("nn.ModuleList", steps):
                x, more = step(x)
                log_det = log_det + more
        return torch.cat([*done, x], dim=1), log_det

    def inverse(self, z: Tensor) -> Tensor:
        """Z back to x."""
        halves = [wide - narrow for wide, narrow in zip(self.sizes, self.sizes[1:], strict=False)]
        *done, x = z.split((*halves, self.sizes[-1]), dim=1)
        for rest, steps in zip([None, *done][::-1], list(self.levels)[::-1], strict=True):
            for step in reversed(list(cast("nn.ModuleList", steps))):
                x = cast("Step", step).inverse(x)
            if rest is not None:
                x = torch.cat([x, rest], dim=1)
        return x

    def log_likelihood(self, x: Tensor) -> Tensor:
        """Log p(x) (n,), in nats."""
        z, log_det = self(x)
        return log_det - 0.5 * (z.square().sum(dim=1) + z.shape[1] * math.log(2 * math.pi))


def _linear(inputs: int, outputs: int, generator: torch.Generator) -> nn.Linear:
    """Weights drawn with a deviation of 0.05, no bias but the actnorm's that follows."""
    made = cast("nn.Linear", nn.utils.skip_init(nn.Linear, inputs, outputs, bias=False))
    nn.init.normal_(made.weight, std=0.05, generator=generator)
    return made
