from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.judged_texts import PAIR_TASK
from tests.evaluation.known_vectors import TOY, KnownVectors
from twinset.errors import DataError
from twinset.evaluation import (
    PairScores,
    StsScores,
    StsTask,
    Suite,
    ValueScores,
    evaluate,
    read_predictions,
    read_scores,
    write_scores,
)


def _file(tmp_path: Path, *lines: str, name: str = "theirs.csv") -> Path:
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n")
    return path


def test_graded_items(tmp_path: Path) -> None:
    scores = read_predictions(_file(tmp_path, "id,score,gold", "b,0.9,2", "a,0.1,1", "c,0.5,3"))
    found = scores.task("theirs")
    assert isinstance(found, StsScores)
    assert (scores.encoder, found.pairs.gold.tolist()) == ("theirs", [1, 2, 3])
    assert found.pairs.predicted.tolist() == [0.1, 0.9, 0.5]
    assert found.value == pytest.approx(0.5)
    again = read_predictions(_file(tmp_path, "id,score,gold", "a,7,1", "c,8,3", "b,9,2", name="ours.csv"))
    assert again.task("ours").fingerprint == found.fingerprint


def test_labelled_items(tmp_path: Path) -> None:
    path = _file(tmp_path, "id,score,label", "a,0.9,1", "b,0.8,0", "c,0.7,1")
    found = read_predictions(path).task("theirs")
    assert isinstance(found, PairScores)
    assert found.metrics == pytest.approx({"average_precision": (1 + 2 / 3) / 2})
    decided = read_predictions(path, threshold=0.75).task("theirs")
    assert decided.value == pytest.approx(1 / 2)
    assert decided.fingerprint == found.fingerprint


def test_bare_values_of_any_metric(tmp_path: Path) -> None:
    scores = read_predictions(_file(tmp_path, "qid,score", "q2,0.25", "q1,0.75"), metric="ndcg@10")
    found = scores.task("theirs")
    assert isinstance(found, ValueScores)
    assert found.items().values.tolist() == [0.75, 0.25]
    assert (scores.metric, scores.headline) == ("ndcg@10", 0.5)
    assert "ndcg@10" in scores.table()
    write_scores(scores, tmp_path / "scores.json")
    again = read_scores(tmp_path / "scores.json")
    assert again.to_json() == scores.to_json()
    assert again.task("theirs").items().values.tolist() == [0.75, 0.25]


def test_a_task_lends_its_truth_and_its_items_are_the_encoders(tmp_path: Path) -> None:
    task = StsTask(name="toy", pairs=TOY)
    own = evaluate(KnownVectors(), Suite(name="s", tasks=(task,))).task("toy")
    assert isinstance(own, StsScores)
    rows = [f"{number},{cosine}" for number, cosine in enumerate(own.pairs.predicted, 1)]
    found = read_predictions(_file(tmp_path, "id,score", *reversed(rows)), task).task("toy")
    assert found.metrics == own.metrics
    assert found.fingerprint == own.fingerprint
    assert found.clusters.tolist() == own.clusters.tolist()
    pairs = read_predictions(
        _file(tmp_path, "id,score", "1,4", "2,3", "3,2", "4,1"), PAIR_TASK, threshold=3.5
    )
    assert pairs.headline == pytest.approx(2 / 3)
    mine = evaluate(KnownVectors(), Suite(name="s", tasks=(PAIR_TASK,))).task("paraphrases")
    assert pairs.task("paraphrases").fingerprint == mine.fingerprint


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("id,score", "a,1", "a,2"), r"theirs\.csv, line 3: the id 'a' stands there a second time"),
        (("id,score", "a,high"), r"theirs\.csv, line 2: 'score' is 'high', not a number"),
        (("id,score", "a,"), r"theirs\.csv, line 2: 'score' is '', not a number"),
        (("id,score,label", "a,1,2", "b,1,1"), r"theirs\.csv: the labels must be 0 and 1"),
        (("id,score,label", "a,1,1", "b,1,1"), r"theirs\.csv: the labels must be 0 and 1"),
        (("id,score,gold", "a,1,x"), r"line 2: 'gold' is 'x', not a number"),
        (("id,marks", "a,1"), r"theirs\.csv: no column"),
    ],
)
def test_what_is_wrong_is_named(lines: tuple[str, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read_predictions(_file(tmp_path, *lines))


def test_items_that_are_not_the_tasks(tmp_path: Path) -> None:
    task = StsTask(name="toy", pairs=TOY)
    with pytest.raises(DataError, match=r"theirs\.csv, line 3: '7' is no pair of toy: 1 to 6"):
        read_predictions(_file(tmp_path, "id,score", "1,0.5", "7,0.5"), task)
    with pytest.raises(DataError, match=r"theirs\.csv: 4 pairs of toy are missing; the first: 2"):
        read_predictions(_file(tmp_path, "id,score", "1,0.5", "6,0.5"), task)
