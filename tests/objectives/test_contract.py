"""What every objective of the union keeps to. A new one is checked here without a line added."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import sys
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from tests.objectives.hard_shapes import every_objective, members, record
from twinset.objectives import AnyObjective
from twinset.types import Embedded, Learned, Loss, Objective

OBJECTIVES = every_objective()
MEMBERS = members(AnyObjective)

everyone = pytest.mark.parametrize("objective", OBJECTIVES.values(), ids=OBJECTIVES)


@pytest.mark.parametrize("member", MEMBERS)
def test_settings_are_frozen_and_by_keyword(member: type) -> None:
    parameters = getattr(member, "__dataclass_params__", None)
    assert parameters is not None
    assert parameters.frozen
    assert all(item.kw_only for item in dataclasses.fields(member))


@pytest.mark.parametrize("member", MEMBERS)
def test_says_its_formula_and_shows_an_example_that_runs(member: type) -> None:
    module = sys.modules[member.__module__]
    assert inspect.getdoc(member)
    assert "L = " in (module.__doc__ or "") or "L_ij = " in (module.__doc__ or "")
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0


@everyone
def test_returns_a_scalar_with_a_gradient_and_parts_without(objective: Objective) -> None:
    batch = _leaves(record(own=objective))
    loss = objective(batch)
    assert isinstance(objective, Objective)
    assert isinstance(loss, Loss)
    assert loss.value.shape == ()
    assert loss.value.requires_grad
    assert loss.parts
    assert all(part.shape == () and not part.requires_grad for part in loss.parts.values())


@everyone
def test_gradient_is_the_derivative(objective: Objective) -> None:
    batch = record(own=objective)
    names = list(batch.weights)
    inputs = [tensor.clone().requires_grad_() for tensor in (*batch.views, *batch.weights.values())]

    def value(*tensors: Tensor) -> Tensor:
        own = dict(zip(names, tensors[3:], strict=True))
        return objective(replace(batch, views=tuple(tensors[:3]), weights=own)).value

    assert torch.autograd.gradcheck(value, inputs)


@everyone
def test_order_of_the_rows_does_not_matter(objective: Objective) -> None:
    batch = record(own=objective)
    assert batch.labels is not None
    assert batch.scores is not None
    rows = torch.tensor([4, 2, 0, 1, 3])
    shuffled = replace(
        batch,
        views=tuple(view[rows] for view in batch.views),
        ids=batch.ids[:, rows],
        labels=batch.labels[rows],
        scores=batch.scores[rows],
        references={kind: value[..., rows] for kind, value in batch.references.items()},
    )
    torch.testing.assert_close(objective(shuffled).value, objective(batch).value)


@everyone
def test_same_record_same_value_and_nothing_written_into_it(objective: Objective) -> None:
    batch = record(own=objective)
    before = [view.clone() for view in batch.views]
    first, second = objective(batch).value, objective(batch).value
    assert torch.equal(first, second)
    assert all(torch.equal(old, view) for old, view in zip(before, batch.views, strict=True))


@everyone
def test_needs_no_more_than_it_says(objective: Objective) -> None:
    full = record(own=objective)
    needs = objective.needs
    assert 2 <= needs.views <= 3
    bare = Embedded(
        views=full.views[: needs.views],
        ids=full.ids[: needs.views],
        labels=full.labels if needs.labels else None,
        scores=full.scores if needs.scores else None,
        weights=full.weights,
        references={kind: full.references[kind][: needs.views, : needs.views] for kind in needs.references},
    )
    assert torch.isfinite(objective(bare).value)


@everyone
def test_reads_ids_as_numbers_that_are_equal_or_not(objective: Objective) -> None:
    batch = record(own=objective)
    assert batch.earlier is not None
    renamed = replace(
        batch, ids=1000 - 7 * batch.ids, earlier=replace(batch.earlier, ids=1000 - 7 * batch.earlier.ids)
    )
    torch.testing.assert_close(objective(renamed).value, objective(batch).value)


@pytest.mark.parametrize(
    "objective",
    [objective for objective in OBJECTIVES.values() if isinstance(objective, Learned)],
    ids=lambda objective: type(objective).__name__,
)
def test_own_weights_come_from_the_generator(objective: Learned) -> None:
    first, again, other = (
        objective.initial_weights(4, torch.Generator().manual_seed(seed)) for seed in (0, 0, 1)
    )
    assert first.keys() == again.keys() == other.keys()
    assert all(torch.equal(first[name], again[name]) for name in first)
    random = [name for name, value in first.items() if value.numel() > 3]
    assert all(not torch.equal(first[name], other[name]) for name in random)


def _leaves(batch: Embedded) -> Embedded:
    return replace(batch, views=tuple(view.clone().requires_grad_() for view in batch.views))
