from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from tests.objectives.hard_shapes import record
from tests.objectives.test_infonce import by_hand, similarity
from twinset.errors import RecipeError
from twinset.objectives import NTXent, Weighted, WeightedSum
from twinset.training import Recipe
from twinset.types import Embedded
from twinset.views import Pair, Unchanged


def loop(batch: Embedded, tau: float, *, mask: bool) -> float:
    """-log exp(s_ij / tau) / sum_{k != i} exp(s_ik / tau), the mean over 2n views, with loops."""
    count = len(batch)
    views = [*batch.views[0], *batch.views[1]]
    ids = [*batch.ids[0].tolist(), *batch.ids[1].tolist()]
    total = 0.0
    for i in range(2 * count):
        partner = (i + count) % (2 * count)
        denominator = 0.0
        for k in range(2 * count):
            duplicate = k != partner and ids[k] in {ids[i], ids[partner]}
            if k != i and not (mask and duplicate):
                denominator += math.exp(similarity(views[i], views[k]) / tau)
        total -= math.log(math.exp(similarity(views[i], views[partner]) / tau) / denominator)
    return total / (2 * count)


def test_value_by_hand() -> None:
    # Similarities: a-p 1, a-q .7071, b-p 0, b-q .7071, a-b 0, p-q .7071.
    # (0.7486 + 0.6862 + 0.7486 + log 3) / 4 = 0.8205
    half, one = math.exp(math.sqrt(0.5)), math.e
    rows = [one / (one + half + 1), half / (half + 2), one / (one + 1 + half), half / (3 * half)]
    expected = -sum(math.log(row) for row in rows) / 4
    assert expected == pytest.approx(0.8205, abs=5e-5)
    assert NTXent(temperature=1.0)(by_hand()).value.item() == pytest.approx(expected, rel=1e-12)


def test_temperature_divides_the_similarities() -> None:
    assert NTXent(temperature=0.5)(by_hand()).value.item() == pytest.approx(
        loop(by_hand(), 0.5, mask=True), rel=1e-12
    )


@pytest.mark.parametrize("mask", [True, False])
@pytest.mark.parametrize(
    "ids", [None, [[0, 1, 0, 3, 1], [0, 1, 0, 3, 1]], [[0, 1, 2, 3, 4], [5, 0, 7, 6, 6]]]
)
def test_equals_the_loop_over_the_formula(mask: bool, ids: list[list[int]] | None) -> None:
    batch = record(seed=2)
    if ids is not None:
        batch = replace(batch, ids=torch.tensor(ids))
    value = NTXent(temperature=0.3, mask_duplicates=mask)(batch).value.item()
    assert value == pytest.approx(loop(batch, 0.3, mask=mask), rel=1e-12)


def test_sum_of_directions_is_twice_the_mean() -> None:
    batch = record()
    summed = NTXent(reduction="sum_of_directions")(batch).value
    torch.testing.assert_close(summed, 2 * NTXent()(batch).value)


def test_sum_of_directions_is_two_cross_entropies() -> None:
    """As the authors' code has it: [ab | aa] and [ba | bb], the diagonals of aa and bb masked."""
    batch = record()
    a, b = (torch.nn.functional.normalize(view, dim=1) for view in batch.views[:2])
    rows = torch.arange(5)
    never = torch.eye(5).double() * -1e9
    expected = sum(
        torch.nn.functional.cross_entropy(torch.cat([x @ y.T / 0.1, x @ x.T / 0.1 + never], dim=1), rows)
        for x, y in ((a, b), (b, a))
    )
    objective = NTXent(reduction="sum_of_directions", mask_duplicates=False)
    torch.testing.assert_close(objective(batch).value, expected)


def test_exchanging_the_views_changes_nothing() -> None:
    batch = record()
    turned = replace(batch, views=(batch.views[1], batch.views[0]), ids=batch.ids[[1, 0]])
    torch.testing.assert_close(NTXent()(turned).value, NTXent()(batch).value)


def test_length_of_the_vectors_does_not_matter() -> None:
    batch = record()
    stretched = replace(batch, views=tuple(view * torch.rand(5, 1).double().add(0.1) for view in batch.views))
    torch.testing.assert_close(NTXent()(stretched).value, NTXent()(batch).value)


def test_twins_of_one_text_are_partners_and_their_doubles_are_left_out() -> None:
    batch = record()
    distinct = replace(batch, ids=torch.tensor([[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]))
    doubled = replace(batch, ids=torch.tensor([[0, 1, 0, 3, 4], [0, 1, 0, 3, 4]]))
    kept = NTXent(mask_duplicates=False)
    assert torch.equal(kept(distinct).value, kept(doubled).value)
    torch.testing.assert_close(NTXent()(distinct).value, kept(distinct).value)
    assert NTXent()(doubled).value < kept(doubled).value


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan])
def test_a_temperature_that_cannot_be(temperature: float) -> None:
    with pytest.raises(RecipeError, match=r"temperature: .* is not above 0"):
        NTXent(temperature=temperature)


def test_a_third_view_is_refused_before_training() -> None:
    pairs = Recipe(views=Pair(Unchanged(), Unchanged()), objective=NTXent())
    with pytest.raises(RecipeError, match=r"NTXent looks at 2 views, but Pair makes 4 of data with 2 column"):
        pairs.check(columns=2, labels=False, scores=False)
    parts = (Weighted(objective=NTXent(), views=(0, 2)), Weighted(objective=NTXent(), views=(1, 3)))
    replace(pairs, objective=WeightedSum(parts=parts)).check(columns=2, labels=False, scores=False)
    both = WeightedSum(parts=(*parts, Weighted(objective=NTXent())))
    with pytest.raises(RecipeError, match="looks at 2 views"):
        replace(pairs, objective=both).check(columns=2, labels=False, scores=False)
