from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from twinset.training.checkpoint import load_checkpoint, save_checkpoint
from twinset.training.disk import Disk
from twinset.training.optimizer import AdamW
from twinset.training.state import TrainState, Watched
from twinset.types import Earlier


def made(seed: int, *, learned: bool) -> TrainState:
    """A state; where it has learned, every part of it is filled."""
    torch.manual_seed(seed)
    backbone, older = nn.Linear(3, 2), nn.Linear(3, 2)
    weights = {"head.w": nn.Parameter(torch.randn(2, 2)), "tau": nn.Parameter(torch.randn(()))}
    optimizer = AdamW().build(backbone, weights, (1e-2, 1e-1))
    state = TrainState(backbone=backbone, weights=weights, optimizer=optimizer, older=older)
    if not learned:
        return state
    learn(state)
    state.earlier = Earlier(
        vectors=torch.randn(5, 2),
        log_weights=torch.randn(5),
        ids=torch.tensor([7, 2**40, 1, 0, 3]),
        ages=torch.tensor([1, 1, 2, 2, 3]),
    )
    state.total, state.update, state.epoch, state.position, state.stale = 40, 11, 2, 3, 4
    state.batches = [torch.tensor([4, 1]), torch.tensor([0]), torch.tensor([2, 3, 5])]
    state.looks = [
        Watched(update=0, epoch=0.0, scores={"z": 0.1 + 0.2, "a": 1.0}),
        Watched(update=9, epoch=1.3333, scores={"z": 1 / 3, "a": 2.0}),
    ]
    state.best = state.looks[1]
    return state


def learn(state: TrainState) -> None:
    """Three updates with fixed gradients."""
    generator = torch.Generator().manual_seed(9)
    for _ in range(3):
        for parameter in parameters(state):
            parameter.grad = torch.randn(parameter.shape, generator=generator)
        state.optimizer.step()


def parameters(state: TrainState) -> list[Tensor]:
    return [*state.backbone.parameters(), *state.weights.values()]


def restored(folder: Path) -> tuple[TrainState, TrainState]:
    state = made(1, learned=True)
    save_checkpoint(Disk(), folder, state.capture({"note": "kept"}))
    saved = load_checkpoint(folder)
    assert saved.facts["note"] == "kept"
    other = made(2, learned=False)
    assert not torch.equal(parameters(state)[0], parameters(other)[0])
    other.restore(saved)
    return state, other


def test_weights_of_encoder_objective_and_older_encoder_come_back(tmp_path: Path) -> None:
    state, other = restored(tmp_path)
    for mine, theirs in zip(parameters(state), parameters(other), strict=True):
        assert torch.equal(mine, theirs)
    assert state.older is not None
    assert other.older is not None
    assert torch.equal(state.older.weight, other.older.weight)
    assert not torch.equal(other.older.weight, other.backbone.weight)


def test_moments_come_back_so_the_next_updates_are_the_same(tmp_path: Path) -> None:
    state, other = restored(tmp_path)
    learn(state)
    learn(other)
    for mine, theirs in zip(parameters(state), parameters(other), strict=True):
        assert torch.equal(mine, theirs)
    mine, theirs = (each.optimizer.state_dict()["state"] for each in (state, other))
    assert mine.keys() == theirs.keys()
    assert all(torch.equal(mine[key][name], theirs[key][name]) for key in mine for name in mine[key])


@pytest.mark.parametrize("name", ["vectors", "log_weights", "ids", "ages"])
def test_the_queue_comes_back(name: str, tmp_path: Path) -> None:
    state, other = restored(tmp_path)
    mine, theirs = getattr(state.earlier, name), getattr(other.earlier, name)
    assert torch.equal(mine, theirs)
    assert mine.dtype == theirs.dtype


@pytest.mark.parametrize("name", ["total", "update", "epoch", "position", "stale", "looks", "best"])
def test_position_and_selection_come_back(name: str, tmp_path: Path) -> None:
    state, other = restored(tmp_path)
    assert getattr(state, name) == getattr(other, name)
    assert getattr(other, name) != getattr(made(2, learned=False), name)


def test_the_epoch_s_batches_come_back(tmp_path: Path) -> None:
    state, other = restored(tmp_path)
    assert [rows.tolist() for rows in other.batches] == [rows.tolist() for rows in state.batches]


def test_scores_keep_their_order(tmp_path: Path) -> None:
    _, other = restored(tmp_path)
    assert list(other.looks[0].scores) == ["z", "a"]


def test_before_the_first_update_there_is_little_to_keep(tmp_path: Path) -> None:
    save_checkpoint(Disk(), tmp_path, made(1, learned=False).capture({}))
    other = made(2, learned=True)
    other.restore(load_checkpoint(tmp_path))
    assert other.earlier is None
    assert other.best is None
    assert other.update == 0
    assert not other.optimizer.state_dict()["state"]
