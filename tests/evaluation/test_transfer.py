from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.evaluation.judged_texts import TRANSFER_TASK, sides
from tests.evaluation.known_vectors import KnownVectors
from twinset.data import LabelledSentences, Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation import Suite, TransferScores, TransferTask, evaluate, transfer
from twinset.evaluation.items import Averaged


def _scores(task: TransferTask = TRANSFER_TASK) -> TransferScores:
    found = evaluate(KnownVectors(), Suite(name="s", tasks=(task,))).task(task.name)
    assert isinstance(found, TransferScores)
    return found


def test_what_is_right_is_told_text_by_text() -> None:
    scores = _scores()
    assert scores.right.tolist() == [False] * 2 + [True] * 8  # two have the other side's class
    assert (scores.metric, scores.value) == ("accuracy", 0.8)
    items = scores.items()
    assert isinstance(items, Averaged)
    assert items.values.tolist() == [0.0] * 2 + [1.0] * 8
    with pytest.raises(RequestError, match="no metric 'f1'; there is accuracy"):
        scores.items("f1")


def test_without_a_test_part_every_text_is_classified_by_the_others() -> None:
    task = TransferTask(name="sides", train=sides(30, wrong=3), folds=5, inner=2)
    scores = _scores(task)
    assert scores.right.tolist() == [False] * 3 + [True] * 27
    assert len(scores.strengths) == 5
    assert _scores(task).predicted.tolist() == scores.predicted.tolist()


def test_the_strength_is_chosen_on_dev_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[tuple[int, int]]] = []

    def spy(vectors: np.ndarray, labels: np.ndarray, parts: object, strengths: object) -> float:
        seen.append([(len(one), len(other)) for one, other in parts])  # type: ignore[attr-defined]
        return 1.0

    monkeypatch.setattr(transfer, "best_strength", spy)
    _scores(replace(TRANSFER_TASK, dev=sides(6, seed=2)))
    assert seen == [[(40, 6)]]
    _scores(TRANSFER_TASK)
    assert seen[1] == [(20, 20), (20, 20)]


def test_the_strength_chosen_is_the_one_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "best_strength", lambda *_: 0.125)
    used: list[float] = []

    def spy(vectors: np.ndarray, labels: np.ndarray, others: np.ndarray, strength: float) -> np.ndarray:
        used.append(strength)
        return np.zeros(len(others), np.int64)

    monkeypatch.setattr(transfer, "fit_predict", spy)
    assert _scores().strengths == (0.125,)
    assert used == [0.125]


def test_items_are_the_test_texts() -> None:
    assert list(TRANSFER_TASK.item_texts[0]) == list(sides(10, seed=1).texts)
    assert len(_scores()) == 10
    alone = TransferTask(name="sides", train=sides(30))
    assert alone.item_texts[0] == sides(30).texts


def test_tasks_that_cannot_be() -> None:
    one = LabelledSentences(Texts(["1", "2"]), np.array([1, 1]), ("left", "right"))
    with pytest.raises(DataError, match="t: there is one class only"):
        TransferTask(name="t", train=one)
    with pytest.raises(RequestError, match="10 folds, 3 inner ones for 4 texts"):
        TransferTask(name="t", train=sides(4))
    with pytest.raises(RequestError, match=r"strengths .* must be numbers above 0"):
        TransferTask(name="t", train=sides(20), strengths=())
    other = LabelledSentences(Texts(["1", "2"]), np.array([0, 1]), ("up", "down"))
    with pytest.raises(DataError, match="one part are up, down, of the training texts left, right"):
        TransferTask(name="t", train=sides(20), test=other)


def test_vectors_that_are_no_numbers() -> None:
    class Broken(KnownVectors):
        def encode(self, texts: Texts, /) -> np.ndarray:
            return np.full((len(texts), 2), np.inf, np.float32)

    with pytest.raises(RequestError, match="sides: some vectors are no numbers"):
        evaluate(Broken(), Suite(name="s", tasks=(TRANSFER_TASK,)))
