from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from twinset.errors import RequestError
from twinset.evidence.dependent import p_of, standard_error


def simulated(first: float, second: float, between: float, items: int) -> tuple[float, float]:
    """Standard deviations of the difference of Pearson's and Spearman's correlations, over normal draws."""
    lower = np.linalg.cholesky(np.array([[1, first, second], [first, 1, between], [second, between, 1]]))
    rng = np.random.default_rng(0)
    found = []
    for _ in range(600):
        drawn = rng.normal(size=(items, 3)) @ lower.T
        plain = np.corrcoef(drawn.T)
        ranks = np.corrcoef(np.apply_along_axis(rankdata, 0, drawn).T)
        found.append((plain[0, 1] - plain[0, 2], ranks[0, 1] - ranks[0, 2]))
    pearsons, spearmans = np.std(found, axis=0)
    return float(pearsons), float(spearmans)


@pytest.mark.parametrize("case", [(0.848, 0.8495, 0.95), (0.5, 0.6, 0.3), (0.7, 0.7, 0.8)])
def test_as_normal_draws_have_it(case: tuple[float, float, float]) -> None:
    pearsons, spearmans = simulated(*case, 400)
    assert standard_error(*case, 400, "pearson") == pytest.approx(pearsons, rel=0.1)
    assert standard_error(*case, 400, "spearman") == pytest.approx(spearmans, rel=0.12)


def test_the_more_alike_two_systems_are_the_less_is_enough() -> None:
    chances = [p_of(0.848, 0.8495, between, 1379) for between in (0.8, 0.9, 0.95, 0.99, 0.999)]
    assert chances == sorted(chances, reverse=True)
    assert p_of(0.8, 0.8, 1.0, 100) == 1.0


def test_errors_go_down_with_the_root_of_the_items() -> None:
    four_times = standard_error(0.8, 0.7, 0.9, 400) / standard_error(0.8, 0.7, 0.9, 1600)
    assert four_times == pytest.approx(2)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RequestError, match="between -1 and 1"):
        standard_error(1.2, 0.7, 0.9, 400)
    with pytest.raises(RequestError, match="no predictions"):
        standard_error(0.9, 0.1, 0.95, 400)
    with pytest.raises(RequestError, match="too few"):
        standard_error(0.9, 0.8, 0.9, 3)
