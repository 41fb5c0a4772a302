from __future__ import annotations

from tests.views.looks import WIDTH, generator, look
from twinset.views import Unchanged


def test_gives_back_the_look_and_draws_nothing() -> None:
    draw = generator()
    before = draw.get_state().tolist()
    given = look([3, 4])
    assert Unchanged()(given, width=WIDTH, generator=draw) is given
    assert draw.get_state().tolist() == before
