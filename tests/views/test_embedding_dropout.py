from __future__ import annotations

import math

import pytest
import torch

from tests.views.looks import evenly, generator, look
from twinset.errors import RecipeError
from twinset.views import EmbeddingDropout


@pytest.mark.parametrize("rate", [0.0, 0.2, 0.5])
def test_exact_drops_int_of_rate_times_elements_of_real_tokens(rate: float) -> None:
    lengths, width = [1, 5, 13, 40], 9
    given = look(lengths)
    view = EmbeddingDropout(rate=rate, count="exact")
    keep = view(given, width=width, generator=generator()).keep_elements
    assert keep is not None
    dropped = (~keep).sum(dim=(1, 2)).tolist()
    assert dropped == [int(rate * length * width) for length in lengths]
    assert bool(keep[~given.tokens.mask].all())


@pytest.mark.parametrize("count", ["each", "exact"])
def test_every_element_is_dropped_equally_often(count: str) -> None:
    given = look([3] * 20_000)
    view = EmbeddingDropout(rate=0.25, count=count)
    keep = view(given, width=4, generator=generator()).keep_elements
    assert keep is not None
    assert evenly((~keep).sum(dim=0), 20_000, 0.25)


def test_each_element_is_dropped_by_itself_so_that_the_number_varies() -> None:
    given = look([8] * 2_000)
    counts = {}
    for count in ("each", "exact"):
        view = EmbeddingDropout(rate=0.2, count=count)
        keep = view(given, width=10, generator=generator()).keep_elements
        assert keep is not None
        counts[count] = (~keep).sum(dim=(1, 2)).double()
    assert counts["exact"].var().item() == 0
    assert counts["each"].mean().item() == pytest.approx(16, rel=0.05)
    assert counts["each"].var().item() == pytest.approx(80 * 0.2 * 0.8, rel=0.2)


def test_texts_are_dropped_at_places_of_their_own() -> None:
    keep = EmbeddingDropout()(look([6] * 5), width=10, generator=generator()).keep_elements
    assert keep is not None
    assert len(torch.unique(keep.flatten(1), dim=0)) == 5


@pytest.mark.parametrize("rate", [-0.1, 1.0, math.nan])
def test_a_rate_that_is_no_share(rate: float) -> None:
    with pytest.raises(RecipeError, match=r"embedding_dropout\.rate: .* is not in \[0, 1\)"):
        EmbeddingDropout(rate=rate)
