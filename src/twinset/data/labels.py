"""Classes as numbers with names, in an order that does not depend on the order of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twinset.errors import DataError

if TYPE_CHECKING:
    import numpy as np

MOST_CODES = 1000
"""Whole numbers from 0 up to here are taken as class codes and keep their value."""


def check_labels(ids: np.ndarray, names: Sequence[str]) -> tuple[str, ...]:
    """Check that `ids` point into `names`; without names, the numbers name themselves."""
    top = int(ids.max()) if ids.size else -1
    if ids.size and ids.min() < 0:
        raise DataError(f"labels: {int(ids.min())} is below 0; labels count the label_names from 0")
    if not names:
        return tuple(str(i) for i in range(top + 1))
    if top >= len(names):
        raise DataError(
            f"labels: {top} is none of the {len(names)} label_names ({', '.join(names)}), counted from 0"
        )
    return tuple(names)


def label_order(values: Sequence[str]) -> tuple[str, ...]:
    """Put distinct label values in order.

    Codes 0, 1, 2 ... keep their value (a file with nothing but 1 has classes "0" and "1"), other whole
    numbers go by size, words by alphabet.
    """
    try:
        codes = sorted(int(value) for value in values)
    except ValueError:
        return tuple(sorted(values))
    if len({str(code) for code in codes} & set(values)) < len(values):
        return tuple(sorted(values))  # "01" is a word, not a code
    if codes and codes[0] >= 0 and codes[-1] < MOST_CODES:
        return tuple(str(code) for code in range(codes[-1] + 1))
    return tuple(str(code) for code in codes)
