from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from tests.baselines.stand_in import Table, drawn
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.baselines import Whitening
from twinset.baselines.whitening import whiten
from twinset.errors import RequestError

POINTS = drawn(80, 5)


def test_a_value_worked_out_by_hand() -> None:
    # Mean (2, 1); variances 4 and 1, uncorrelated.
    points = np.array([[4, 2], [0, 2], [4, 0], [0, 0]], dtype=np.float32)
    mean, kernel = whiten(points)
    assert mean.tolist() == [2, 1]
    np.testing.assert_allclose(np.abs(kernel), [[0.5, 0], [0, 1]], atol=1e-12)


def test_fitted_vectors_have_mean_zero_and_covariance_one() -> None:
    encoder = Table(POINTS)
    found = Whitening(encoder, encoder.texts).encode(encoder.texts).astype(np.float64)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(found.T @ found / len(found), np.eye(5), atol=1e-5)


@pytest.mark.parametrize("dimension", [None, 3, 1])
def test_equals_scikit_learns_up_to_signs(dimension: int | None) -> None:
    encoder = Table(POINTS)
    fitted, others = encoder.texts[:60], encoder.texts[60:]
    expected = PCA(dimension, whiten=True).fit(POINTS[:60].astype(np.float64)).transform(POINTS[60:])
    found = Whitening(encoder, fitted, dimension=dimension).encode(others)
    # scikit-learn divides the covariance by n - 1.
    np.testing.assert_allclose(np.abs(found), np.abs(expected) * np.sqrt(60 / 59), rtol=1e-3, atol=1e-4)


def test_cosines_do_not_change_when_the_encoder_is_turned_stretched_or_moved() -> None:
    def cosines(points: np.ndarray) -> np.ndarray:
        encoder = Table(points)
        found = Whitening(encoder, encoder.texts).encode(encoder.texts[:9])
        unit = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit @ unit.T

    mixing = np.random.default_rng(1).normal(size=(5, 5)).astype(np.float32)
    np.testing.assert_allclose(cosines(POINTS @ mixing + 7), cosines(POINTS), atol=2e-3)


def test_a_text_that_comes_often_counts_once() -> None:
    encoder = Table(POINTS)
    once = Whitening(encoder, encoder.texts)
    often = Whitening(encoder, [*encoder.texts, *["3"] * 50])
    np.testing.assert_array_equal(once.kernel, often.kernel)


def test_directions_without_width_are_left_out() -> None:
    flat = np.concatenate([POINTS, POINTS[:, :2] @ np.array([[1], [2]], dtype=np.float32)], axis=1)
    encoder = Table(flat)
    found = Whitening(encoder, encoder.texts).encode(encoder.texts)
    assert found.shape == (80, 5)
    assert np.isfinite(found).all()
    with pytest.raises(RequestError, match=r"dimension is 6; 80 vectors vary in 5: ask for 1 to 5"):
        Whitening(encoder, encoder.texts, dimension=6)


def test_roles_go_through_the_encoder() -> None:
    encoder = Table(POINTS)
    system = Whitening(encoder, encoder.texts)
    plain = system.encode(["0"])
    np.testing.assert_allclose(system.encode_query(["0"]) - plain, [system.kernel.sum(axis=0)], rtol=1e-4)
    np.testing.assert_allclose(system.encode_document(["0"]) - plain, [-system.kernel.sum(axis=0)], rtol=1e-4)


def test_the_name_says_what_it_was_fitted_on() -> None:
    encoder = Table(POINTS)
    assert Whitening(encoder, encoder.texts).name == "table, whitened (fitted on 80 texts)"
    named = Whitening(encoder, encoder.texts, dimension=2, fitted_on="the test")
    assert named.name == "table, whitened to 2 (fitted on the test)"


def test_too_few_texts_are_refused() -> None:
    encoder = Table(POINTS)
    with pytest.raises(RequestError, match=r"2 distinct text\(s\) are too few"):
        Whitening(encoder, ["0", "1", "1"])
    with pytest.raises(RequestError, match="5 texts in 4 dimensions would all come to be equally far apart"):
        Whitening(encoder, encoder.texts[:5])
    assert Whitening(encoder, encoder.texts[:5], dimension=2).encode(["7"]).shape == (1, 2)


def test_vectors_that_are_all_alike_are_refused() -> None:
    encoder = Table(np.ones((4, 3), dtype=np.float32))
    with pytest.raises(RequestError, match="the 4 vectors are all alike"):
        Whitening(encoder, encoder.texts)


def test_single_precision_whatever_the_encoder_computes_in() -> None:
    low = tiny_encoder("bert").with_precision("bf16")
    systems = [Whitening(each, SENTENCES, dimension=3) for each in (low, low.with_precision("fp32"))]
    np.testing.assert_array_equal(systems[0].encode(SENTENCES), systems[1].encode(SENTENCES))
