from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.objectives.hard_shapes import Head, Remember, Temperature, record
from twinset.errors import RecipeError
from twinset.objectives import InfoNCE, NTXent, Weighted, WeightedSum
from twinset.types import Objective, Reference


def weighted(objective: Objective, weight: float = 1.0, views: tuple[int, ...] | None = None) -> Weighted:
    return Weighted(objective=objective, weight=weight, views=views)


def test_value_is_the_sum_of_weights_times_parts() -> None:
    batch = record()
    parts = (weighted(NTXent(), 0.15), weighted(InfoNCE(), 2.0))
    loss = WeightedSum(parts=parts)(batch)
    expected = 0.15 * NTXent()(batch).value + 2.0 * InfoNCE()(batch).value
    torch.testing.assert_close(loss.value, expected)
    torch.testing.assert_close(loss.parts["0.nt_xent"], NTXent()(batch).value)
    torch.testing.assert_close(loss.parts["1.infonce"], InfoNCE()(batch).value)


def test_a_part_is_given_the_views_it_names() -> None:
    batch = record()
    alone = replace(
        batch,
        views=(batch.views[2], batch.views[0]),
        ids=batch.ids[[2, 0]],
        references={kind: value[[2, 0]][:, [2, 0]] for kind, value in batch.references.items()},
    )
    for objective in (InfoNCE(), NTXent(), Remember()):
        value = WeightedSum(parts=(weighted(objective, views=(2, 0)),))(batch).value
        torch.testing.assert_close(value, objective(alone).value)


def test_parts_have_weights_of_their_own_under_their_number() -> None:
    both = WeightedSum(parts=(weighted(Temperature()), weighted(Temperature())), weights_learning_rate=0.1)
    batch = record(own=both)
    assert sorted(batch.weights) == ["0.a", "1.a"]
    batch = replace(batch, weights={"0.a": torch.tensor(0.0), "1.a": torch.tensor(2.0)})
    values = [Temperature()(replace(batch, weights={"a": weight})).value for weight in batch.weights.values()]
    torch.testing.assert_close(both(batch).value, values[0] + values[1])
    assert not torch.allclose(values[0], values[1])


def test_sums_within_sums_keep_weights_apart() -> None:
    inner = WeightedSum(parts=(weighted(InfoNCE()), weighted(Temperature())))
    outer = WeightedSum(parts=(weighted(Temperature()), weighted(inner)))
    batch = record(own=outer)
    assert sorted(batch.weights) == ["0.a", "1.1.a"]
    assert sorted(outer(batch).parts) == ["0.temperature", "1.0.infonce", "1.1.temperature"]


def test_eleven_parts_are_not_taken_for_one() -> None:
    many = WeightedSum(parts=tuple(weighted(Temperature()) for _ in range(11)))
    batch = record(own=many)
    weights = {f"{number}.a": torch.tensor(float(number)) for number in range(11)}
    alone = [replace(batch, weights={"a": torch.tensor(float(number))}) for number in range(11)]
    expected = sum(Temperature()(each).value for each in alone)
    torch.testing.assert_close(many(replace(batch, weights=weights)).value, expected)


def test_needs_are_everything_the_parts_need() -> None:
    needs = WeightedSum(parts=(weighted(InfoNCE()), weighted(Head()), weighted(Remember()))).needs
    assert needs.views == 3
    assert needs.labels
    assert needs.scores
    assert needs.references == {Reference.INITIAL, Reference.EMBEDDING_LAYER}
    assert WeightedSum(parts=(weighted(NTXent(), views=(0, 3)),)).needs.views == 4
    plain = WeightedSum(parts=(weighted(NTXent()),)).needs
    assert (plain.views, plain.labels, plain.scores, plain.references) == (2, False, False, frozenset())


def test_a_part_s_own_learning_rate_is_the_sum_s() -> None:
    assert WeightedSum(parts=(weighted(InfoNCE()),)).weights_learning_rate is None
    assert WeightedSum(parts=(weighted(InfoNCE()), weighted(Head()))).weights_learning_rate == 1e-3
    inner = WeightedSum(parts=(weighted(Head()),))
    without = WeightedSum(parts=(weighted(NTXent()),))
    assert WeightedSum(parts=(weighted(without), weighted(inner))).weights_learning_rate == 1e-3
    named = WeightedSum(parts=(weighted(Head()), weighted(Temperature())), weights_learning_rate=0.5)
    assert named.weights_learning_rate == 0.5


def test_parts_that_disagree_on_the_learning_rate_are_refused() -> None:
    with pytest.raises(RecipeError, match=r"weights_learning_rate: .*\(0\.001, 0\.1\); name one"):
        WeightedSum(parts=(weighted(Head()), weighted(Temperature())))


def test_a_sum_of_nothing_is_refused() -> None:
    with pytest.raises(RecipeError, match="at least one objective"):
        WeightedSum(parts=())


@pytest.mark.parametrize("views", [(), (0, -1)])
def test_views_that_cannot_be_are_refused(views: tuple[int, ...]) -> None:
    with pytest.raises(RecipeError, match="views: "):
        weighted(InfoNCE(), views=views)
