from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.baselines.stand_in import drawn
from twinset.baselines.flow_settings import FlowSettings
from twinset.baselines.flow_training import batches, fit_flow
from twinset.errors import RequestError, WorkError

SMALL = FlowSettings(levels=2, depth=2, width=8, batch_size=16)
POINTS = drawn(100, 6)


def test_vectors_become_likelier() -> None:
    def likelihood(epochs: int) -> float:
        flow = fit_flow(POINTS, replace(SMALL, epochs=epochs, learning_rate=1e-2))
        return float(flow.log_likelihood(torch.from_numpy(POINTS)).mean())

    assert likelihood(20) > likelihood(1) + 1


def test_the_same_seed_gives_the_same_flow_and_leaves_others_alone() -> None:
    def made(seed: int) -> bytes:
        flow = fit_flow(POINTS, replace(SMALL, seed=seed))
        return flow(torch.from_numpy(POINTS))[0].numpy().tobytes()

    before = torch.get_rng_state()
    assert made(0) == made(0)
    assert made(0) != made(1)
    assert torch.equal(before, torch.get_rng_state())


def test_it_begins_with_the_first_batch() -> None:
    settings = replace(SMALL, learning_rate=1e-12)
    first = next(batches(len(POINTS), settings))
    flow = fit_flow(POINTS, settings)
    there, _ = flow(torch.from_numpy(POINTS)[first])
    torch.testing.assert_close(there.var(dim=0, correction=0), torch.ones(6), rtol=0, atol=1e-3)


@pytest.mark.parametrize(("rows", "sizes"), [(100, [16] * 5 + [20]), (32, [16, 16]), (5, [5])])
def test_every_row_comes_once_an_epoch_and_no_batch_is_tiny(rows: int, sizes: list[int]) -> None:
    found = list(batches(rows, replace(SMALL, epochs=2)))
    assert [len(batch) for batch in found] == sizes * 2
    epochs = [torch.cat(found[: len(sizes)]), torch.cat(found[len(sizes) :])]
    assert all(sorted(epoch.tolist()) == list(range(rows)) for epoch in epochs)
    assert epochs[0].tolist() != epochs[1].tolist()


def test_gradients_are_clipped_and_weights_decay(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    clip = torch.nn.utils.clip_grad_norm_
    monkeypatch.setattr(
        torch.nn.utils, "clip_grad_norm_", lambda weights, most: [told.append(most), clip(weights, most)]
    )
    fit_flow(POINTS, replace(SMALL, clip=0.25))
    assert told == [0.25] * 6
    heavy = fit_flow(POINTS, replace(SMALL, weight_decay=100.0, epochs=20))
    light = fit_flow(POINTS, replace(SMALL, weight_decay=0.0, epochs=20))
    size = [sum(float(weight.abs().sum()) for weight in flow.parameters()) for flow in (heavy, light)]
    assert size[0] < size[1] / 2


def test_progress_counts_updates() -> None:
    told: list[tuple[int, int]] = []
    fit_flow(POINTS, replace(SMALL, epochs=2), lambda done, total: told.append((done, total)))
    assert told == [(update, 12) for update in range(1, 13)]


def test_a_loss_that_is_no_number_is_told() -> None:
    with pytest.raises(WorkError, match="flow: the loss is nan at update 1; lower its learning_rate"):
        fit_flow(np.full((40, 6), np.inf, dtype=np.float32), SMALL)


def test_too_few_texts_or_dimensions_are_refused() -> None:
    with pytest.raises(RequestError, match=r"flow: 1 distinct text\(s\)"):
        fit_flow(POINTS[:1], SMALL)
    with pytest.raises(RequestError, match="6 dimensions cannot be halved 4 times"):
        fit_flow(POINTS, replace(SMALL, levels=4))
