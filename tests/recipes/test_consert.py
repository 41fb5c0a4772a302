from __future__ import annotations

from twinset.objectives import NTXent
from twinset.recipes import consert
from twinset.training import AdamW
from twinset.views import FeatureCutoff, Pair, TokenShuffle


def test_paper() -> None:
    recipe = consert("paper")
    assert recipe.views == Pair(FeatureCutoff(rate=0.2), TokenShuffle())
    assert recipe.objective == NTXent(temperature=0.1, mask_duplicates=False)
    assert recipe.optimizer == AdamW(eps=1e-6, weight_decay=0.01, bias_correction=False)
    assert (recipe.batch_size, recipe.learning_rate, recipe.epochs, recipe.max_length) == (96, 5e-7, 10, 64)
    assert (recipe.training_pooling, recipe.evaluation_pooling, recipe.dropout) == ("mean", "last_two", 0)
    assert (recipe.select.every, recipe.select.patience, recipe.select.pooling) == (200, 10, "training")
    assert recipe.schedule.warmup == 0.1


def test_mini_has_the_papers_views() -> None:
    assert consert().views == consert("paper").views
    assert consert() == consert("mini")
    assert consert().dropout == 0
    assert consert().learning_rate > consert("paper").learning_rate
