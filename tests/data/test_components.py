from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from twinset.data import Texts
from twinset.data.components import row_components


def test_texts_link_rows_over_columns_and_through_others() -> None:
    # row 0 and 2 meet through "b" (second, then first column); row 3 joins them by "c"; row 1 stands alone
    numbers = row_components([Texts(["a", "x", "b", "d"]), Texts(["b", "y", "c", "c"])]).tolist()
    assert numbers[0] == numbers[2] == numbers[3] != numbers[1]


@given(st.lists(st.tuples(*[st.integers(0, 12)] * 3), max_size=15))
def test_agrees_with_merging_sets(rows: list[tuple[int, int, int]]) -> None:
    merged: list[set[int]] = []
    for row in rows:
        touching = [group for group in merged if group & set(row)]
        merged = [group for group in merged if not group & set(row)] + [set(row).union(*touching)]
    wanted = [next(i for i, group in enumerate(merged) if row[0] in group) for row in rows]
    got = row_components([Texts([str(row[i]) for row in rows]) for i in range(3)]).tolist()
    assert len(set(zip(wanted, got, strict=True))) == len(set(wanted)) == len(set(got))
