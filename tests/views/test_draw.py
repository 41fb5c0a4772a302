from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.views.looks import evenly, generator
from twinset.views.draw import keep_all_but


@given(
    rows=st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=5),
    seed=st.integers(0, 2**31),
    share=st.floats(0, 1),
)
def test_drops_so_many_and_only_where_it_may(rows: list[list[bool]], seed: int, share: float) -> None:
    allowed = torch.tensor(rows)
    count = (allowed.sum(dim=1) * share).long()
    keep = keep_all_but(count, allowed, generator(seed))
    assert torch.equal((~keep).sum(dim=1), count)
    assert bool(keep[~allowed].all())


def test_draws_evenly_from_what_is_allowed() -> None:
    allowed = torch.tensor([True, False, True, True]).expand(20_000, 4)
    keep = keep_all_but(torch.ones(20_000, dtype=torch.int64), allowed, generator())
    assert evenly((~keep).sum(dim=0)[[0, 2, 3]], 20_000, 1 / 3)
