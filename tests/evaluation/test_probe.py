from __future__ import annotations

import numpy as np
import pytest

from twinset.evaluation.probe import STRENGTHS, Scaling, best_strength, fit_predict, folds


def _clouds(seed: int, size: int = 60) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    labels = np.arange(size) % 3
    return generator.normal(size=(size, 5)) + 2.5 * np.eye(5)[labels], labels


def test_it_is_scikit_learns_logistic_regression_on_scaled_vectors() -> None:
    from sklearn.linear_model import LogisticRegression

    (known, labels), (others, _) = _clouds(0), _clouds(1)
    scaled = Scaling(known)
    expected = LogisticRegression(C=0.5, max_iter=1000).fit(scaled(known), labels).predict(scaled(others))
    assert fit_predict(known, labels, others, 0.5).tolist() == expected.tolist()


def test_scale_and_shift_of_the_vectors_do_not_matter() -> None:
    (known, labels), (others, _) = _clouds(0), _clouds(1)
    one = fit_predict(known, labels, others, 1.0)
    assert fit_predict(1000 * known + 7, labels, 1000 * others + 7, 1.0).tolist() == one.tolist()
    assert np.linalg.norm(Scaling(known)(known), axis=1).mean() == pytest.approx(1)


def test_one_class_is_always_said() -> None:
    assert fit_predict(np.ones((3, 2)), np.full(3, 4), np.zeros((2, 2)), 1.0).tolist() == [4, 4]


def test_folds_judge_every_row_once_and_share_out_the_classes() -> None:
    labels = np.array([0] * 20 + [1] * 10)[np.random.default_rng(0).permutation(30)]
    parts = folds(labels, 5, seed=3)
    assert sorted(np.concatenate([judged for _, judged in parts]).tolist()) == list(range(30))
    for known, judged in parts:
        assert set(known) | set(judged) == set(range(30))
        assert not set(known) & set(judged)
        assert np.bincount(labels[judged]).tolist() == [4, 2]
    assert [judged.tolist() for _, judged in folds(labels, 5, seed=3)] == [j.tolist() for _, j in parts]
    assert [judged.tolist() for _, judged in folds(labels, 5, seed=4)] != [j.tolist() for _, j in parts]


def test_the_best_strength_is_chosen_on_the_second_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, float]] = []

    def right_at_four(
        vectors: np.ndarray, labels: np.ndarray, others: np.ndarray, strength: float
    ) -> np.ndarray:
        asked.append((len(vectors), len(others), strength))
        return np.full(len(others), int(strength in (4.0, 16.0)))

    monkeypatch.setattr("twinset.evaluation.probe.fit_predict", right_at_four)
    rows = np.arange(10)
    assert best_strength(np.zeros((10, 2)), np.ones(10, int), [(rows[:7], rows[7:])]) == 4.0
    assert asked == [(7, 3, strength) for strength in STRENGTHS]
    assert best_strength(np.zeros((10, 2)), np.ones(10, int), [], (8.0,)) == 8.0
