"""Two published hit counts on the same queries: what can be said without the single answers.

Only queries on which one system hits and the other does not speak about the difference: b that the first
alone hits, c the second alone, b - c published, b + c not. Under "no difference" each is a coin, so

    p = min(1, 2 P(X >= max(b, c))),    X ~ Binomial(b + c, 1/2)

(McNemar 1947, exact). The result is a function of b + c.
"""

from __future__ import annotations

from twinset.errors import RequestError


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided p.

    >>> mcnemar(6, 0)  # 2 / 2^6
    0.03125
    """
    if min(only_first, only_second) < 0:
        raise RequestError(f"counts cannot be below 0; given: {only_first} and {only_second}")
    differing = only_first + only_second
    if differing == 0:
        return 1.0
    from scipy.stats import binom

    return min(1.0, 2.0 * float(binom.sf(max(only_first, only_second) - 1, differing, 0.5)))


def smallest_lead(differing: int, *, level: float = 0.95) -> int | None:
    """The least lead b - c, of so many differing queries, that is beyond chance; None if none is.

    >>> smallest_lead(6), smallest_lead(5), smallest_lead(30)
    (6, None, 12)
    """
    for lead in range(differing % 2, differing + 1, 2):
        if mcnemar((differing + lead) // 2, (differing - lead) // 2) < 1 - level:
            return lead
    return None
