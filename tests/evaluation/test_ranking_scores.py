from __future__ import annotations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation import RankingScores
from twinset.evaluation.metrics import Places


def _scores(*ranks: list[float], metric: str = "map") -> RankingScores:
    found = tuple(Places(ranks=np.array(each), gains=np.ones(len(each))) for each in ranks)
    return RankingScores(
        task="t", pooling="mean", places=found, metric=metric, clusters=np.arange(len(found))
    )


def test_the_headline_is_among_the_metrics_and_first() -> None:
    scores = _scores([1, 4], [2], metric="recall@3")
    assert next(iter(scores.metrics)) == "recall@3"
    assert scores.value == scores.metrics["recall@3"] == pytest.approx((1 / 2 + 1) / 2)


def test_what_was_not_found_is_null_in_the_file() -> None:
    scores = _scores([1, np.inf])
    assert scores.found() == {"ranks": [[1, None]], "gains": [[1.0, 1.0]]}
    assert scores.values("recall@10").tolist() == [0.5]


def test_nothing_to_score_is_told() -> None:
    with pytest.raises(RequestError, match="t: no query has a relevant document"):
        _scores()
