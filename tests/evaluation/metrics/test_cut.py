from __future__ import annotations

from twinset.evaluation.metrics import has_positive_at, precision_at, recall_at

SCORES, RELEVANT = [0.9, 0.5, 0.7, 0.1, 0.6], [False, True, False, True, False]
# in order: wrong, wrong, wrong, right, right


def test_values_worked_out_by_hand() -> None:
    assert [precision_at(SCORES, RELEVANT, k) for k in (3, 4, 5, 10)] == [0, 1 / 4, 2 / 5, 2 / 10]
    assert [recall_at(SCORES, RELEVANT, k) for k in (3, 4, 5, 10)] == [0, 1 / 2, 1, 1]
    assert [has_positive_at(SCORES, RELEVANT, k) for k in (3, 4, 5)] == [0, 1, 1]


def test_precision_counts_to_k_however_few_items_there_are() -> None:
    assert precision_at([1.0], [True], 5) == 1 / 5
