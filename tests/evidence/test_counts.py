from __future__ import annotations

import pytest
from scipy.stats import binomtest

from twinset.errors import RequestError
from twinset.evidence.counts import mcnemar, smallest_lead


def test_mcnemar_as_the_exact_binomial_test() -> None:
    for only_first in range(12):
        for only_second in range(12 - only_first):
            expected = (
                1.0
                if only_first + only_second == 0
                else binomtest(only_first, only_first + only_second, 0.5).pvalue
            )
            assert mcnemar(only_first, only_second) == pytest.approx(expected)


def test_one_query_is_never_beyond_chance() -> None:
    assert [mcnemar(shared + 1, shared) for shared in range(60)] == pytest.approx([1.0] * 60)


def test_the_smallest_lead_is_beyond_chance_and_the_one_below_is_not() -> None:
    for differing in range(6, 60):
        lead = smallest_lead(differing)
        assert lead is not None
        assert mcnemar((differing + lead) // 2, (differing - lead) // 2) < 0.05
        assert mcnemar((differing + lead) // 2 - 1, (differing - lead) // 2 + 1) >= 0.05
    assert smallest_lead(5) is None


def test_counts_below_zero_are_refused() -> None:
    with pytest.raises(RequestError, match="below 0"):
        mcnemar(-1, 3)
