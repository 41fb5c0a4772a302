from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from tests.objectives.test_infonce import loop
from tests.training.steps.scenes import backbone, gradients, scene
from twinset.errors import RecipeError
from twinset.negatives import Queue
from twinset.objectives import InfoNCE
from twinset.training.steps import Cached, Plain
from twinset.types import Earlier, Embedded


def batch(number: int, rows: int = 4) -> Embedded:
    """Batch number k: vectors full of k, row by row k.0, k.1 ..."""
    vectors = number + torch.arange(rows)[:, None].expand(rows, 3) / 10
    ids = 100 * number + torch.arange(2 * rows).view(2, rows)
    return Embedded(views=(vectors.clone().requires_grad_(), -vectors), ids=ids)


def pushed(queue: Queue, *batches: Embedded) -> Earlier:
    earlier = None
    for each in batches:
        earlier = queue.push(earlier, each)
    assert earlier is not None
    return earlier


def test_newest_first_and_ages_count_batches() -> None:
    earlier = pushed(Queue(batches=2.5), batch(1), batch(2), batch(3))
    assert len(earlier) == 10
    assert earlier.ages.tolist() == [1] * 4 + [2] * 4 + [3] * 2
    expected = [3.0, 3.1, 3.2, 3.3, 2.0, 2.1, 2.2, 2.3, 1.0, 1.1]
    torch.testing.assert_close(earlier.vectors[:, 0], torch.tensor(expected))
    assert earlier.ids.tolist() == [300, 301, 302, 303, 200, 201, 202, 203, 100, 101]


@pytest.mark.parametrize(
    ("batches", "size"), [(0.5, 2), (1.0, 4), (1.75, 7), (2.5, 10), (3.0, 12), (0.01, 1)]
)
def test_size_in_batches_fractions_allowed(batches: float, size: int) -> None:
    queue = Queue(batches=batches)
    assert len(pushed(queue, *map(batch, range(1, 6)))) == size
    assert len(pushed(queue, batch(1))) == min(size, 4)


def test_a_short_last_batch_does_not_empty_the_queue() -> None:
    queue = Queue(batches=2.5)
    earlier = pushed(queue, batch(1), batch(2), batch(3, rows=1))
    assert earlier.ages.tolist() == [1] + [2] * 4 + [3] * 4
    after = pushed(queue, batch(1), batch(2), batch(3, rows=1), batch(4))
    assert after.ages.tolist() == [1] * 4 + [2] + [3] * 4 + [4]


def test_weights_are_forgetting_to_the_power_of_age() -> None:
    earlier = pushed(Queue(batches=3, forgetting=0.7), batch(1), batch(2), batch(3))
    expected = torch.tensor([0.7] * 4 + [0.49] * 4 + [0.343] * 4)
    torch.testing.assert_close(earlier.log_weights.exp(), expected)
    kept = pushed(Queue(batches=3, forgetting=1.0), batch(1), batch(2))
    assert kept.log_weights.tolist() == [0.0] * 8


def test_keeps_the_view_it_is_told_to() -> None:
    earlier = pushed(Queue(view=1), batch(1))
    torch.testing.assert_close(earlier.vectors[:, 0], -torch.tensor([1.0, 1.1, 1.2, 1.3]))
    assert earlier.ids.tolist() == [104, 105, 106, 107]


def test_vectors_in_the_queue_carry_no_gradient() -> None:
    assert not pushed(Queue(), batch(1), batch(2)).vectors.requires_grad


def test_the_queue_itself_never_changes() -> None:
    queue = Queue()
    first = pushed(queue, batch(1))
    before = first.ages.clone(), first.vectors.clone()
    queue.push(first, batch(2))
    assert torch.equal(first.ages, before[0])
    assert torch.equal(first.vectors, before[1])


@pytest.mark.parametrize("step", [Plain(), Cached()], ids=repr)
def test_three_steps_with_the_queue_equal_the_formula(step: Plain | Cached) -> None:
    """-log[ e^{s_ii/t} / (sum_j e^{s_ij/t} + sum_m p_m e^{s(h_i, H_m)/t}) ],  p_m = 0.7^age."""
    encoder, queue = backbone("bert"), Queue(batches=1.5, forgetting=0.7)
    earlier: Earlier | None = None
    kept: list[tuple[torch.Tensor, int, torch.Tensor]] = []
    for number in range(3):
        given = scene(encoder, InfoNCE(temperature=0.3), earlier=earlier, seed=number, chunk_tokens=60)
        strangers = replace(given.batch, ids=given.batch.ids + 1000 * number)
        given = replace(given, batch=strangers, looks=given.looks[:2], embedders=(encoder,) * 2)
        outcome, _ = gradients(step, given)
        first, second = (view.double() for view in outcome.embedded.views)
        exact = Embedded(views=(first, second), ids=strangers.ids[:2], earlier=_by_hand(kept))
        assert outcome.loss.value.item() == pytest.approx(loop(exact, 0.3), rel=1e-5)
        earlier = queue.push(earlier, outcome.embedded)
        older = [(vector, age + 1, text) for vector, age, text in kept]
        kept = [*((vector, 1, text) for vector, text in zip(first, exact.ids[0], strict=True)), *older][:9]
    assert len(kept) == 9


def _by_hand(kept: list[tuple[torch.Tensor, int, torch.Tensor]]) -> Earlier | None:
    if not kept:
        return None
    vectors, ages, ids = zip(*kept, strict=True)
    return Earlier(
        vectors=torch.stack(vectors),
        log_weights=torch.tensor([age * math.log(0.7) for age in ages]).double(),
        ids=torch.stack(ids),
        ages=torch.tensor(ages),
    )


@pytest.mark.parametrize("batches", [0.0, -1.0, math.nan, math.inf])
def test_a_length_that_cannot_be(batches: float) -> None:
    with pytest.raises(RecipeError, match=r"memory\.batches: .* is not a number above 0"):
        Queue(batches=batches)


@pytest.mark.parametrize("forgetting", [0.0, 1.1, math.nan])
def test_forgetting_that_cannot_be(forgetting: float) -> None:
    with pytest.raises(RecipeError, match=r"memory\.forgetting: .* is not in \(0, 1\]"):
        Queue(forgetting=forgetting)
