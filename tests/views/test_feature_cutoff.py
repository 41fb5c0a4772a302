from __future__ import annotations

import math

import pytest
import torch

from tests.views.looks import evenly, generator, look
from twinset.errors import RecipeError
from twinset.views import FeatureCutoff


@pytest.mark.parametrize(
    ("rate", "width", "cut"), [(0.2, 768, 153), (0.2, 10, 2), (0.19, 10, 1), (0.0, 8, 0)]
)
def test_cuts_int_of_rate_times_width_features(rate: float, width: int, cut: int) -> None:
    keep = FeatureCutoff(rate=rate)(look([3, 9]), width=width, generator=generator()).keep_features
    assert keep is not None
    assert keep.shape == (2, width)
    assert (~keep).sum(dim=1).tolist() == [cut, cut]


def test_features_are_drawn_anew_for_each_text() -> None:
    keep = FeatureCutoff()(look([3] * 8), width=64, generator=generator()).keep_features
    assert keep is not None
    assert len(torch.unique(keep, dim=0)) == 8


def test_every_feature_is_cut_equally_often() -> None:
    keep = FeatureCutoff(rate=0.25)(look([2] * 20_000), width=8, generator=generator()).keep_features
    assert keep is not None
    assert evenly((~keep).sum(dim=0), 20_000, 0.25)


@pytest.mark.parametrize("rate", [-0.1, 1.0, math.nan])
def test_a_rate_that_is_no_share(rate: float) -> None:
    with pytest.raises(RecipeError, match=r"feature_cutoff\.rate: .* is not in \[0, 1\)"):
        FeatureCutoff(rate=rate)
