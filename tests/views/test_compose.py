from __future__ import annotations

import torch

from tests.views.looks import WIDTH, generator, look
from twinset.views import Compose, FeatureCutoff, TokenCutoff, TokenShuffle


def test_acts_in_order_with_one_stream_of_draws() -> None:
    parts = (TokenShuffle(), TokenCutoff(rate=0.5), FeatureCutoff())
    given = look([4, 9])
    made = Compose(views=parts)(given, width=WIDTH, generator=generator())
    draw = generator()
    expected = given
    for part in parts:
        expected = part(expected, width=WIDTH, generator=draw)
    for name in ("order", "keep_tokens", "keep_features"):
        assert torch.equal(getattr(made, name), getattr(expected, name))


def test_of_nothing_changes_nothing() -> None:
    given = look([4, 9])
    assert Compose(views=())(given, width=WIDTH, generator=generator()) is given


def test_cuts_add_up() -> None:
    twice = Compose(views=(TokenCutoff(rate=0.2), TokenCutoff(rate=0.2)))
    keep = twice(look([50] * 20), width=WIDTH, generator=generator()).keep_tokens
    assert keep is not None
    cut = (~keep).sum(dim=1)
    assert int(cut.max()) <= 20
    assert float(cut.double().mean()) > 15  # 18 expected: 10 and 10 that may meet
