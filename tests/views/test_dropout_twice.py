from __future__ import annotations

from tests.views.looks import WIDTH, batch, generator
from twinset.views import DropoutTwice


def test_two_unchanged_looks_at_each_column() -> None:
    given = batch([3, 4], [5, 6])
    looks = DropoutTwice()(given, width=WIDTH, generator=generator())
    assert [look.column for look in looks] == [0, 1, 0, 1]
    for look in looks:
        assert look.tokens is given.columns[look.column]
        assert (look.order, look.keep_tokens, look.keep_features, look.keep_elements, look.add) == (None,) * 5
