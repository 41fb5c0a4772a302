"""Two published correlations with the same gold scores: what can be said without the predictions.

With r_1, r_2 the systems' correlations with the gold scores and r_12 their predictions' correlation with each
other, over n items,

    Var(r_1 - r_2) = ( v_1 + v_2 - 2 c ) / n
    v_i = (1 - r_i^2)^2,    c = r_12 (1 - r_1^2 - r_2^2) - r_1 r_2 (1 - r_1^2 - r_2^2 - r_12^2) / 2

(Pearson and Filon 1898; Steiger 1980), and for Spearman's all of it times 1 + (r_1^2 + r_2^2) / 4 (Bonett and
Wright 2000 have 1 + r^2 / 2 for one). Both hold for normal scores. r_12 is hardly ever published: the result
is a function of it.
"""

from __future__ import annotations

import math
from typing import Literal

from twinset.errors import RequestError


def standard_error(
    first: float,
    second: float,
    between: float,
    items: int,
    metric: Literal["spearman", "pearson"] = "spearman",
) -> float:
    """Of r_1 - r_2.

    >>> round(standard_error(0.848, 0.8495, 0.95, 1379), 4)
    0.0051
    """
    for name, value in (("first", first), ("second", second), ("between", between)):
        if not -1 <= value <= 1:
            raise RequestError(f"{name}: a correlation lies between -1 and 1; given: {value}")
    if items < 4:
        raise RequestError(f"items: {items} are too few for a correlation's error")
    if 1 + 2 * first * second * between - first**2 - second**2 - between**2 < 0:
        raise RequestError(
            f"no predictions correlate {first} and {second} with the gold scores and {between} together"
        )
    one, two = first**2, second**2
    shared = between * (1 - one - two) - first * second * (1 - one - two - between**2) / 2
    variance = (1 - one) ** 2 + (1 - two) ** 2 - 2 * shared
    if metric == "spearman":
        variance *= 1 + (one + two) / 4
    return math.sqrt(max(0.0, variance) / items)


def p_of(first: float, second: float, between: float, items: int) -> float:
    """Two-sided p of a difference of Spearman correlations."""
    error = standard_error(first, second, between, items)
    if error == 0:
        return 1.0 if first == second else 0.0
    return math.erfc(abs(first - second) / error / math.sqrt(2))
