"""Which rows hang together because they share texts, directly or through other rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinset.data.texts import Texts, text_ids


def row_components(columns: Sequence[Texts]) -> np.ndarray:
    """Number the connected components of rows: (n,) int64, equal for rows linked by shared texts.

    The graph's nodes are the distinct texts; a row links its first text to each of its others.
    """
    from scipy.sparse import coo_array  # slow to import, and only splits need it
    from scipy.sparse.csgraph import connected_components

    first, *others = text_ids(*columns)
    if not len(first):
        return np.empty(0, np.int64)
    nodes = int(max(ids.max() for ids in (first, *others))) + 1
    starts = np.concatenate([first for _ in others]) if others else np.empty(0, np.int64)
    ends = np.concatenate(others) if others else np.empty(0, np.int64)
    graph = coo_array((np.ones(len(starts), np.int8), (starts, ends)), shape=(nodes, nodes))
    _, component = connected_components(graph, directed=False)
    return component[first].astype(np.int64)
