"""Holm's correction: many comparisons against one baseline, one promise for all of them.

    of m p-values in ascending order, corrected_k = max over j <= k of min(1, (m - j + 1) p_j)

Whatever is below 0.05 after it: the chance that any of them is a false claim is at most 5% (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinset.errors import RequestError


def holm(values: Sequence[float]) -> list[float]:
    """Corrected p-values, in the order given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != 1 or not ((given >= 0) & (given <= 1)).all():
        raise RequestError(f"p-values lie from 0 to 1; given: {list(values)}")
    order = np.argsort(given, kind="stable")
    factors = len(given) - np.arange(len(given))
    raised = np.minimum(1.0, np.maximum.accumulate(given[order] * factors))
    corrected = np.empty_like(raised)
    corrected[order] = raised
    return [float(value) for value in corrected]
