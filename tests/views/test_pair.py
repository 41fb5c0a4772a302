from __future__ import annotations

from tests.views.looks import WIDTH, batch, generator
from twinset.views import FeatureCutoff, Pair, TokenShuffle


def test_first_of_every_column_then_second_of_every_column() -> None:
    looks = Pair(FeatureCutoff(), TokenShuffle())(batch([3, 4], [5, 6]), width=WIDTH, generator=generator())
    assert [look.column for look in looks] == [0, 1, 0, 1]
    assert [look.keep_features is not None for look in looks] == [True, True, False, False]
    assert [look.order is not None for look in looks] == [False, False, True, True]


def test_the_two_looks_draw_apart() -> None:
    first, second = Pair(TokenShuffle(), TokenShuffle())(batch([30]), width=WIDTH, generator=generator())
    assert first.order is not None
    assert second.order is not None
    assert first.order.tolist() != second.order.tolist()
