"""Which items hang together: they share a text, so they are no independent witnesses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from twinset.data.components import row_components
from twinset.data.texts import Texts


def suite_clusters(tasks: Sequence[tuple[Texts, ...]]) -> list[np.ndarray]:
    """Number the items of all tasks together: a (n,) int64 array a task.

    tasks: of each, one or two columns of the texts its items are made of. Items that share a text, directly
    or through others, have the same number, also in different tasks. Queries of a ranking are items of one
    text: those of equal text are together, those that share candidates are not.
    """
    firsts = _joined([columns[0] for columns in tasks])
    seconds = _joined([columns[-1] for columns in tasks])
    components = row_components((firsts, seconds))
    ends = np.cumsum([len(columns[0]) for columns in tasks])[:-1]
    return np.split(components, ends)


def _joined(columns: Sequence[Texts]) -> Texts:
    return Texts(pa.chunked_array([column.arrow for column in columns], type=pa.large_string()))
