from __future__ import annotations

from tests.views.looks import WIDTH, batch, generator
from twinset.views import AsGiven


def test_each_column_is_one_unchanged_look() -> None:
    given = batch([3, 4], [5, 6], [2, 2])
    looks = AsGiven()(given, width=WIDTH, generator=generator())
    assert [look.column for look in looks] == [0, 1, 2]
    assert all(look.tokens is tokens for look, tokens in zip(looks, given.columns, strict=True))
    assert all(look.order is None and look.keep_features is None for look in looks)
