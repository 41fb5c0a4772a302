from __future__ import annotations

import dataclasses
import inspect

import pytest
import torch

import twinset.types as joint
from tests.objectives.hard_shapes import Head, Remember, record
from tests.views.looks import batch, look
from twinset.objectives import InfoNCE
from twinset.types import Embedded, Learned, Objective, Tokens, moved

RECORDS = [
    value
    for _, value in inspect.getmembers(joint, inspect.isclass)
    if dataclasses.is_dataclass(value) and value.__module__ == joint.__name__
]


@pytest.mark.parametrize("kind", RECORDS)
def test_records_are_frozen_by_keyword_and_described(kind: type) -> None:
    parameters = getattr(kind, "__dataclass_params__", None)
    assert parameters is not None
    assert parameters.frozen
    assert all(item.kw_only for item in dataclasses.fields(kind))
    assert inspect.getdoc(kind)


def test_there_are_records() -> None:
    assert {"Batch", "Embedded", "Loss", "Look", "Tokens", "Earlier"} <= {kind.__name__ for kind in RECORDS}


def test_mask_is_true_on_real_tokens() -> None:
    tokens = Tokens(input_ids=torch.zeros(3, 4, dtype=torch.int64), lengths=torch.tensor([0, 2, 4]))
    assert tokens.mask.tolist() == [[False] * 4, [True, True, False, False], [True] * 4]


def test_to_a_gpu_tensors_go_by_way_of_pinned_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []

    def pinned(self: torch.Tensor) -> torch.Tensor:
        done.append(("pinned", self.is_contiguous()))
        return self

    def to(self: torch.Tensor, device: torch.device, *, non_blocking: bool = False) -> torch.Tensor:
        done.append((device.type, non_blocking))
        return self

    monkeypatch.setattr(torch.Tensor, "pin_memory", pinned)
    monkeypatch.setattr(torch.Tensor, "to", to)
    spread = torch.arange(3).expand(2, 3)
    assert moved(spread, torch.device("cuda")).tolist() == spread.tolist()
    moved(spread, torch.device("cpu"))
    # What is to be read at once may not be on its way still.
    moved(torch.empty(3, device="meta"), torch.device("cpu"))
    assert done == [("pinned", True), ("cuda", True), ("cpu", False), ("cpu", False)]


def test_lengths_are_known_wherever_the_tokens_are() -> None:
    tokens = Tokens(input_ids=torch.zeros(2, 4, dtype=torch.int64), lengths=torch.tensor([1, 4]))
    assert tokens.sizes == [1, 4]
    away = tokens.to(torch.device("meta"))
    assert away.lengths.device.type == away.input_ids.device.type == "meta"
    assert away.sizes == away.to(torch.device("meta")).sizes == [1, 4]


def test_lengths_of_records_count_rows() -> None:
    full = record(rows=5)
    assert full.earlier is not None
    assert (len(full), len(full.earlier), len(look([2, 3])), len(batch([2, 3, 4]))) == (5, 4, 2, 3)


def test_detached_takes_the_gradient_off_the_views_and_leaves_the_rest() -> None:
    full = record()
    attached = dataclasses.replace(full, views=tuple(view.requires_grad_() for view in full.views))
    found = attached.detached()
    assert not any(view.requires_grad for view in found.views)
    assert all(torch.equal(a, b) for a, b in zip(found.views, full.views, strict=True))
    assert found.ids is attached.ids
    assert found.earlier is attached.earlier


def test_two_records_never_share_their_defaults() -> None:
    first, second = (Embedded(views=(torch.eye(2),) * 2, ids=torch.zeros(2, 2)) for _ in range(2))
    assert first.weights == {}
    assert first.weights is not second.weights


def test_an_objective_with_weights_is_learned_and_others_are_not() -> None:
    assert isinstance(InfoNCE(), Objective)
    assert not isinstance(InfoNCE(), Learned)
    assert isinstance(Head(), Learned)
    assert not isinstance(Remember(), Learned)
