from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest
import torch
from torch import Tensor

from tests.objectives.hard_shapes import record
from twinset.errors import RecipeError
from twinset.objectives import InfoNCE
from twinset.types import Earlier, Embedded

HALF = math.sqrt(0.5)


def by_hand() -> Embedded:
    """Similarities 1, 0.7071 / 0, 0.7071."""
    first = torch.eye(2, dtype=torch.float64)
    second = torch.tensor([[2.0, 0.0], [3.0, 3.0]], dtype=torch.float64)
    return Embedded(views=(first, second), ids=torch.tensor([[0, 1], [2, 3]]))


def loop(batch: Embedded, tau: float, *, directions: str = "one", mask: bool = True) -> float:
    """The formula, written as loops over rows and candidates."""
    ways = [(0, 1), (1, 0)] if directions == "both" else [(0, 1)]
    total = 0.0
    for anchors, partners in ways:
        for i in range(len(batch)):
            own = {int(batch.ids[0, i]), int(batch.ids[1, i])}
            positive = math.exp(similarity(batch.views[anchors][i], batch.views[partners][i]) / tau)
            denominator = positive
            others = [(partners, j) for j in range(len(batch)) if j != i]
            if anchors == 0:
                others += [(view, j) for view in range(2, len(batch.views)) for j in range(len(batch))]
            for view, j in others:
                if not (mask and int(batch.ids[view, j]) in own):
                    denominator += math.exp(similarity(batch.views[anchors][i], batch.views[view][j]) / tau)
            if anchors == 0 and batch.earlier is not None:
                denominator += queue_sum(batch.views[0][i], batch.earlier, tau, own if mask else set())
            total -= math.log(positive / denominator)
    return total / len(batch) / len(ways)


def queue_sum(anchor: Tensor, earlier: Earlier, tau: float, own: set[int]) -> float:
    """phi_i = sum_m p_m exp(s(h_i, H_m) / tau)."""
    return sum(
        math.exp(weight) * math.exp(similarity(anchor, vector) / tau)
        for vector, weight, text in zip(
            earlier.vectors, earlier.log_weights.tolist(), earlier.ids.tolist(), strict=True
        )
        if text not in own
    )


def similarity(first: Tensor, second: Tensor) -> float:
    dot = sum(a * b for a, b in zip(first.tolist(), second.tolist(), strict=True))
    return dot / math.sqrt(sum(a * a for a in first.tolist()) * sum(b * b for b in second.tolist()))


def test_value_by_hand() -> None:
    # -log e / (e + e^0.7071) = 0.5574 and -log e^0.7071 / (1 + e^0.7071) = 0.4008
    assert InfoNCE(temperature=1.0)(by_hand()).value.item() == pytest.approx(0.4791, abs=5e-5)


def test_temperature_by_hand() -> None:
    # Twice the similarities: log(1 + e^-0.5858) = 0.4425 and log(1 + e^-1.4142) = 0.2176
    assert InfoNCE(temperature=0.5)(by_hand()).value.item() == pytest.approx(0.3301, abs=5e-5)


def test_both_directions_by_hand() -> None:
    # Back: log(1 + e^-1) = 0.3133 for the first row, log 2 = 0.6931 for the second
    expected = (0.5574 + 0.4008 + 0.3133 + 0.6931) / 4
    value = InfoNCE(temperature=1.0, directions="both")(by_hand()).value.item()
    assert value == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("directions", "mask", "views", "queue"),
    list(product(["one", "both"], [True, False], [2, 3], [True, False])),
)
def test_equals_the_loop_over_the_formula(directions: str, mask: bool, views: int, queue: bool) -> None:
    full = record(seed=3)
    batch = replace(full, views=full.views[:views], earlier=full.earlier if queue else None)
    objective = InfoNCE(temperature=0.3, directions=directions, mask_duplicates=mask)
    expected = loop(batch, 0.3, directions=directions, mask=mask)
    assert objective(batch).value.item() == pytest.approx(expected, rel=1e-12)


def test_length_of_the_vectors_does_not_matter() -> None:
    batch = record()
    stretched = replace(batch, views=tuple(view * torch.rand(5, 1).double().add(0.1) for view in batch.views))
    torch.testing.assert_close(InfoNCE()(stretched).value, InfoNCE()(batch).value)


def test_exchanging_the_views_changes_one_direction_and_not_the_mean_of_both() -> None:
    full = record()
    batch = replace(full, views=full.views[:2], earlier=None)
    turned = replace(batch, views=batch.views[::-1], ids=batch.ids[[1, 0, 2]])
    both, one = InfoNCE(directions="both"), InfoNCE()
    torch.testing.assert_close(both(turned).value, both(batch).value)
    assert not torch.allclose(one(turned).value, one(batch).value)


def test_an_equal_text_in_another_row_is_no_negative() -> None:
    full = record()
    batch = replace(full, views=full.views[:2], ids=torch.tensor([[0, 1, 0], [3, 4, 5]]), earlier=None)
    batch = replace(batch, views=tuple(view[:3] for view in batch.views))
    # Candidates carry ids 3, 4, 5: none is an anchor's text (0, 1) or another's, so nothing is left out ...
    kept = InfoNCE(mask_duplicates=False)(batch).value
    assert torch.equal(InfoNCE()(batch).value, kept)
    # ... until row 2's candidate is the text of anchor 0, or the text of row 0's own positive.
    for ids in ([3, 4, 0], [3, 4, 3]):
        marked = replace(batch, ids=torch.tensor([[0, 1, 2], ids]))
        assert InfoNCE()(marked).value < kept
        assert torch.equal(InfoNCE(mask_duplicates=False)(marked).value, kept)


def test_a_positive_of_equal_text_stays() -> None:
    batch = by_hand()
    twins = replace(batch, ids=torch.tensor([[0, 1], [0, 1]]))
    torch.testing.assert_close(InfoNCE()(twins).value, InfoNCE()(batch).value)
    same = replace(batch, ids=torch.zeros(2, 2, dtype=torch.int64))
    assert InfoNCE()(same).value.item() == pytest.approx(0.0, abs=1e-12)


def test_a_third_view_is_a_hard_negative_for_every_row() -> None:
    batch = by_hand()
    hard = torch.tensor([[1.0, 0.0], [0.0, -1.0]]).double()
    with_hard = replace(batch, views=(*batch.views, hard), ids=torch.tensor([[0, 1], [2, 3], [4, 5]]))
    # Anchor 0 meets 1 and 0 more, anchor 1 meets 0 and -1 more.
    first = -math.log(math.e / (math.e + math.exp(HALF) + math.e + 1))
    second = -math.log(math.exp(HALF) / (1 + math.exp(HALF) + 1 + math.exp(-1)))
    value = InfoNCE(temperature=1.0)(with_hard).value.item()
    assert value == pytest.approx((first + second) / 2, rel=1e-9)


def test_weights_of_the_queue_count_candidates() -> None:
    full = record()
    assert full.earlier is not None
    old = full.earlier
    halves = Earlier(
        vectors=torch.cat([old.vectors, old.vectors]),
        log_weights=torch.cat([old.log_weights, old.log_weights]) - math.log(2),
        ids=torch.cat([old.ids, old.ids]),
        ages=torch.cat([old.ages, old.ages]),
    )
    value = InfoNCE()(full).value
    torch.testing.assert_close(InfoNCE()(replace(full, earlier=halves)).value, value)
    assert InfoNCE()(replace(full, earlier=replace(old, log_weights=old.log_weights + 1))).value > value


def test_own_text_in_the_queue_is_no_negative() -> None:
    full = record()
    assert full.earlier is not None
    strangers = replace(full, earlier=replace(full.earlier, ids=torch.tensor([100, 103, 101, 102])))
    assert InfoNCE()(full).value < InfoNCE()(strangers).value
    kept = InfoNCE(mask_duplicates=False)
    assert torch.equal(kept(full).value, kept(strangers).value)


def test_nothing_flows_into_the_queue() -> None:
    full = record()
    assert full.earlier is not None
    view = full.views[0].clone().requires_grad_()
    InfoNCE()(replace(full, views=(view, *full.views[1:]))).value.backward()
    assert view.grad is not None
    assert not full.earlier.vectors.requires_grad


@pytest.mark.parametrize("temperature", [0.0, -0.1, math.nan])
def test_a_temperature_that_cannot_be(temperature: float) -> None:
    with pytest.raises(RecipeError, match=r"temperature: .* is not above 0"):
        InfoNCE(temperature=temperature)
