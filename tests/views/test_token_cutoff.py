from __future__ import annotations

import math

import pytest
import torch

from tests.views.looks import WIDTH, evenly, generator, look
from twinset.errors import RecipeError
from twinset.views import TokenCutoff


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.15, 0.5, 0.99])
def test_cuts_int_of_rate_times_length_real_tokens(rate: float) -> None:
    lengths = list(range(1, 65))
    given = look(lengths)
    keep = TokenCutoff(rate=rate)(given, width=WIDTH, generator=generator()).keep_tokens
    assert keep is not None
    assert [int(row) for row in (~keep).sum(dim=1)] == [int(rate * length) for length in lengths]
    assert bool(keep[~given.tokens.mask].all())


def test_every_real_token_is_cut_equally_often_the_first_and_last_not_spared() -> None:
    texts, length = 20_000, 7
    given = look([length] * texts + [9])
    keep = TokenCutoff(rate=0.3)(given, width=WIDTH, generator=generator()).keep_tokens
    assert keep is not None
    assert evenly((~keep[:texts, :length]).sum(dim=0), texts, 2 / 7)


@pytest.mark.parametrize("rate", [-0.1, 1.0, math.nan])
def test_a_rate_that_is_no_share(rate: float) -> None:
    with pytest.raises(RecipeError, match=r"token_cutoff\.rate: .* is not in \[0, 1\)"):
        TokenCutoff(rate=rate)


def test_texts_are_cut_at_places_of_their_own() -> None:
    keep = TokenCutoff(rate=0.2)(look([50] * 8), width=WIDTH, generator=generator()).keep_tokens
    assert keep is not None
    assert len(torch.unique(keep, dim=0)) == 8
