from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import ir_measures
import numpy as np
import pytest

from tests.evaluation.judged_texts import COLLECTION, RETRIEVAL_TASK
from tests.evaluation.known_vectors import KnownPoolings, KnownVectors
from twinset.errors import DataError
from twinset.evaluation import (
    RankingScores,
    Suite,
    evaluate,
    qrels_of,
    read_run,
    read_scores,
    run_of,
    score_run,
    write_run,
    write_scores,
)

OWN = Suite(name="search", tasks=(RETRIEVAL_TASK,))


def test_a_run_holds_the_nearest_documents_by_their_ids() -> None:
    run = run_of(KnownVectors(), RETRIEVAL_TASK, depth=2)
    assert {query: list(found) for query, found in run.items()} == {
        "q0": ["d5", "d10"],
        "q80": ["d90", "d40"],
    }
    assert run["q0"]["d10"] == 0.984808
    nameless = replace(RETRIEVAL_TASK, collection=replace(COLLECTION, query_ids=None, document_ids=None))
    assert list(run_of(KnownVectors(), nameless, depth=1)["3"]) == ["3"]
    assert list(run_of(KnownPoolings(), RETRIEVAL_TASK, depth=1, pooling="cls")["q0"]) == ["d90"]


def test_a_run_scores_as_the_encoder_that_made_it(tmp_path: Path) -> None:
    path = tmp_path / "run"
    for unjudged in ("wrong", "unknown"):
        task = replace(RETRIEVAL_TASK, unjudged=unjudged)
        write_run(run_of(KnownVectors(), task), path)
        own = evaluate(KnownVectors(), Suite(name="search", tasks=(task,))).task("search")
        scores = score_run(read_run(path), task, name="mine")
        found = scores.task("search")
        assert (scores.encoder, scores.poolings) == ("mine", ("run",))
        assert found.metrics == own.metrics
        assert found.fingerprint == own.fingerprint
        assert found.clusters.tolist() == own.clusters.tolist()
        assert found.notes == own.notes


def test_what_a_run_lacks_was_not_found(tmp_path: Path) -> None:
    scores = score_run({"q0": {"d10": 2.0, "d5": 2.0}}, RETRIEVAL_TASK)
    found = scores.task("search")
    assert isinstance(found, RankingScores)
    # of equal scores the wrong one stands in front; d40 and the whole of q80 are missing
    assert [places.ranks.tolist() for places in found.places] == [[2, np.inf], [np.inf]]
    assert [places.gains.tolist() for places in found.places] == [[2, 1], [1]]
    assert found.metrics["map"] == pytest.approx((1 / 2) / 2 / 2)
    write_scores(scores, tmp_path / "scores.json")
    assert read_scores(tmp_path / "scores.json").to_json() == scores.to_json()


def test_ids_of_another_collection_are_named() -> None:
    with pytest.raises(DataError, match="document 'd6' is not in the collection of search"):
        score_run({"q0": {"d6": 1.0}}, RETRIEVAL_TASK)
    with pytest.raises(DataError, match="query 'q1' is not in the collection of search"):
        score_run({"q1": {"d5": 1.0}}, RETRIEVAL_TASK)


def test_qrels_alone_will_do_and_ir_measures_agrees() -> None:
    generator = np.random.default_rng(0)
    documents = [f"d{number}" for number in range(30)]
    qrels = {
        f"q{number}": {
            d: int(generator.integers(0, 3)) for d in generator.choice(documents, 6, replace=False)
        }
        for number in range(50)
    }
    qrels["q0"] = dict.fromkeys(qrels["q0"], 0)
    run = {
        f"q{number}": {
            d: float(s) for d, s in zip(generator.permutation(documents)[:9], range(9), strict=True)
        }
        for number in range(45)
    }
    scores = score_run(run, qrels, task="robust").task("robust")
    assert scores.notes == ("robust: 1 query without a relevant document left out",)
    measures = {"ndcg@10": ir_measures.nDCG @ 10, "map": ir_measures.AP, "recall@10": ir_measures.R @ 10}
    kept = {query: judged for query, judged in qrels.items() if query != "q0"}
    theirs = ir_measures.calc_aggregate(list(measures.values()), kept, run)
    for name, measure in measures.items():
        assert scores.metrics[name] == pytest.approx(theirs[measure], abs=1e-6)
    assert score_run({}, qrels).task("run").fingerprint == scores.fingerprint
    with pytest.raises(DataError, match="no query has a relevant document"):
        score_run(run, {"q0": {"d1": 0}})


def test_judgements_by_their_ids() -> None:
    assert qrels_of(COLLECTION) == {"q0": {"d40": 1, "d10": 2, "d20": 0}, "q80": {"d90": 1}}
    assert score_run(run_of(KnownVectors(), RETRIEVAL_TASK), qrels_of(COLLECTION)).headline == pytest.approx(
        evaluate(KnownVectors(), OWN).headline
    )
