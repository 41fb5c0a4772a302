"""Metrics of rankings by the names they have in tables, files and settings: `ndcg@10`, `mrr`, `map@5`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from twinset.errors import RequestError
from twinset.evaluation.metrics.cut import has_positive_of, precision_of, recall_of
from twinset.evaluation.metrics.ndcg import ndcg_of
from twinset.evaluation.metrics.places import Places
from twinset.evaluation.metrics.ranking import average_precision_of, reciprocal_rank_of

RankingMetric = Callable[[Places], float]

_ANYWHERE: dict[str, Callable[[Places, int | None], float]] = {
    "ndcg": ndcg_of,
    "ndcg_exp": partial(ndcg_of, gain="exponential"),
    "map": average_precision_of,
    "mrr": reciprocal_rank_of,
}
_CUT: dict[str, Callable[[Places, int], float]] = {
    "precision": precision_of,
    "recall": recall_of,
    "has_positive": has_positive_of,
}


def ranking_metric(name: str) -> RankingMetric:
    """Give the metric of that name: ndcg, ndcg_exp (gain 2^relevance - 1), map, mrr, each also with @k;
    precision@k, recall@k, has_positive@k.

    >>> from twinset.evaluation.metrics import places
    >>> ranking_metric("mrr@10")(places([2, 1], [0, 1]))
    0.5
    """
    found = re.fullmatch(r"([a-z_]+)(?:@([1-9]\d*))?", name)
    kind, cut = (found[1], found[2]) if found else ("", None)
    if kind in _ANYWHERE:
        metric, k = _ANYWHERE[kind], None if cut is None else int(cut)
        return lambda found: metric(found, k)
    if kind in _CUT and cut is not None:
        first, depth = _CUT[kind], int(cut)
        return lambda found: first(found, depth)
    known = [*_ANYWHERE, *(f"{each}@k" for each in (*_ANYWHERE, *_CUT))]
    raise RequestError(f"metric: {name!r} is none of {', '.join(known)} (k from 1)")
