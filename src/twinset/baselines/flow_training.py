"""The likelihood of vectors under a flow, made larger.

    loss = -mean log p(x) / (d ln 2)     bits a dimension

As in Li et al. 2020's program: AdamW at a constant rate, gradients clipped, the first batch to begin with.
Ours: Adam corrects its first steps for their bias; every distinct text comes once an epoch, in an order drawn
from the seed; the last batch of an epoch takes what is left over, so that none is tiny.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from twinset.baselines.flow_settings import FlowSettings
from twinset.baselines.glow import Glow
from twinset.errors import RequestError, WorkError
from twinset.evaluation.embedding import Progress
from twinset.randomness import generator_of


def fit_flow(vectors: np.ndarray, settings: FlowSettings, progress: Progress | None = None) -> Glow:
    """A flow under which these vectors (n, d) are likely. `progress(done, total)` counts updates."""
    rows, size = vectors.shape
    _check(rows, size, settings)
    points = torch.from_numpy(vectors.astype(np.float32))
    flow = Glow(size, settings, generator_of(settings.seed, "flow", "weights"))
    optimizer = torch.optim.AdamW(
        flow.parameters(), lr=settings.learning_rate, eps=1e-6, weight_decay=settings.weight_decay
    )
    order = list(batches(rows, settings))
    flow.start(points[order[0]])
    for update, batch in enumerate(order, start=1):
        loss = -flow.log_likelihood(points[batch]).mean() / (size * math.log(2))
        if not torch.isfinite(loss):
            raise WorkError(f"flow: the loss is {loss.item()} at update {update}; lower its learning_rate")
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), settings.clip)
        optimizer.step()
        if progress is not None:
            progress(update, len(order))
    return flow.requires_grad_(requires_grad=False).eval()


def batches(rows: int, settings: FlowSettings) -> Iterator[Tensor]:
    """Row numbers of every batch of every epoch."""
    whole = max(rows // settings.batch_size, 1)
    begins = [settings.batch_size * number for number in range(1, whole)]
    for epoch in range(settings.epochs):
        order = torch.randperm(rows, generator=generator_of(settings.seed, "flow", "order", epoch))
        yield from order.tensor_split(begins)


def _check(rows: int, size: int, settings: FlowSettings) -> None:
    if rows < 2:
        raise RequestError(f"flow: {rows} distinct text(s) have no variance to begin with; give more")
    if math.ceil(size / 2 ** (settings.levels - 1)) < 2:
        raise RequestError(f"flow: {size} dimensions cannot be halved {settings.levels} times; lower levels")
