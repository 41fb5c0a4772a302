"""All metrics of rankings at once: against ir-measures (trec_eval) and against plain loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ir_measures
import pytest

from tests.evaluation.metrics.plain_ranking import (
    in_order,
    plain_has_positive,
    plain_map,
    plain_mrr,
    plain_ndcg,
    plain_precision,
    plain_recall,
    rankings,
)
from twinset.errors import RequestError
from twinset.evaluation.metrics import places, ranking_metric

PLAIN: dict[str, Callable[[Sequence[float], int], float]] = {
    "ndcg": plain_ndcg,
    "map": plain_map,
    "mrr": plain_mrr,
    "precision": plain_precision,
    "recall": plain_recall,
    "has_positive": plain_has_positive,
}
THEIRS: dict[str, Any] = {
    "ndcg": ir_measures.nDCG,
    "map": ir_measures.AP,
    "mrr": ir_measures.RR,
    "precision": ir_measures.P,
    "recall": ir_measures.R,
    "has_positive": ir_measures.Success,
}


@pytest.mark.parametrize("name", PLAIN)
def test_with_ties_it_is_the_plain_loop(name: str) -> None:
    for scores, relevance, k in rankings(ties=True):
        found = ranking_metric(f"{name}@{k}")(places(scores, relevance))
        assert found == pytest.approx(PLAIN[name](in_order(scores, relevance), k), abs=1e-12)


def test_without_ties_it_is_what_ir_measures_says() -> None:
    cuts = (1, 3, 10)
    qrels, run, ours = {}, {}, {}
    for number, (scores, relevance, _) in enumerate(rankings(ties=False)):
        query = str(number)
        run[query] = {f"d{row}": float(score) for row, score in enumerate(scores)}
        qrels[query] = {f"d{row}": int(gain) for row, gain in enumerate(relevance)}
        found = places(scores, relevance)
        ours |= {
            (query, f"{name}@{k}"): ranking_metric(f"{name}@{k}")(found) for name in THEIRS for k in cuts
        }
        ours |= {(query, name): ranking_metric(name)(found) for name in ("ndcg", "map", "mrr")}
    names = {str(theirs @ k): f"{name}@{k}" for name, theirs in THEIRS.items() for k in cuts}
    names |= {str(THEIRS[name]): name for name in ("ndcg", "map", "mrr")}
    measures = [ir_measures.parse_measure(name) for name in names]
    told = 0
    for result in ir_measures.iter_calc(measures, qrels, run):
        key = (result.query_id, names[str(result.measure)])
        assert result.value == pytest.approx(ours[key], abs=1e-6), key  # some of theirs are single precision
        told += 1
    assert told == len(ours) == 1000 * 21


@pytest.mark.parametrize(
    "name",
    ["ndcg@0", "ndcg@", "recall", "precision", "hits@3", "nDCG@10", "", "map@-1"],
)
def test_unknown_names_are_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(RequestError, match=r"is none of ndcg, ndcg_exp, map, mrr, ndcg@k, .*has_positive@k"):
        ranking_metric(name)


def test_the_exponential_gain_has_a_name() -> None:
    # (1 + 3/2) / (3 + 1/log2(3)) against (1 + 2/2) / (2 + 1/log2(3))
    found = places([3, 2, 1], [1, 0, 2])
    assert ranking_metric("ndcg_exp")(found) == pytest.approx(2.5 / 3.6309297535714573)
    assert ranking_metric("ndcg")(found) == pytest.approx(2.0 / 2.6309297535714573)
    assert ranking_metric("ndcg_exp@1")(found) == pytest.approx(1 / 3)
