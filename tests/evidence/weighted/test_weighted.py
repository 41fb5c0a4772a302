from __future__ import annotations

import numpy as np
import pytest

from twinset.errors import RequestError
from twinset.evaluation.items import Averaged, Classified, Correlated
from twinset.evidence.weighted import weighted

NUMBERS = np.array([1.0, 2, 4])


def test_means_of_weighted_items() -> None:
    value = weighted([Averaged(metric="ndcg", values=NUMBERS), Averaged(metric="ndcg", values=2 * NUMBERS)])
    weights = np.array([[1.0, 0], [1, 3], [1, 2]])  # five items in the second draw
    np.testing.assert_allclose(value(weights), [[7 / 3, 14 / 5], [14 / 3, 28 / 5]])


def test_what_is_scored_differently_is_not_compared() -> None:
    mean = Averaged(metric="mrr", values=NUMBERS)
    with pytest.raises(RequestError, match="mrr of Averaged items, ndcg of Averaged items"):
        weighted([mean, Averaged(metric="ndcg", values=NUMBERS)])
    with pytest.raises(RequestError, match="scored differently"):
        weighted([mean, Correlated(metric="spearman", gold=NUMBERS, predicted=NUMBERS)])


def test_every_kind_of_items_has_its_own() -> None:
    one = np.ones((3, 1))
    correlated = Correlated(metric="spearman", gold=NUMBERS, predicted=-NUMBERS)
    decided = Classified(metric="accuracy", labels=NUMBERS > 1, predicted=NUMBERS, threshold=3.0)
    assert weighted([correlated])(one)[0, 0] == pytest.approx(-1)
    assert weighted([decided])(one)[0, 0] == pytest.approx(2 / 3)
