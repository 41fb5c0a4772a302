from __future__ import annotations

import numpy as np
import pytest

from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder.quantize import OUTPUTS, quantized, signs
from twinset.errors import RequestError


def rows(count: int = 40, dimension: int = 21) -> np.ndarray:
    scales = np.logspace(-3, 3, count)[:, None]
    return (np.random.default_rng(0).normal(size=(count, dimension)) * scales).astype(np.float32)


def test_fp32_is_left_as_it_is() -> None:
    vectors = rows()
    assert quantized(vectors, "fp32") is vectors


def test_int8_by_hand() -> None:
    found = quantized(np.array([[2.0, -1.0, 0.0], [0.0, 0.004, 0.001]], dtype=np.float32), "int8")
    assert found.dtype == np.int8
    assert found.tolist() == [[127, -64, 0], [0, 127, 32]]


def test_int8_keeps_directions_whatever_the_length() -> None:
    vectors = rows()
    found = quantized(vectors, "int8").astype(np.float64)
    cosines = (found * vectors).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(vectors, axis=1)
    assert cosines.min() > 0.9999
    assert (np.abs(found).max(axis=1) == 127).all()


def test_a_vector_of_zeros_stays_one() -> None:
    assert quantized(np.zeros((1, 3), dtype=np.float32), "int8").tolist() == [[0, 0, 0]]


def test_binary_is_the_signs_eight_in_a_byte() -> None:
    vectors = rows()
    packed = quantized(vectors, "binary")
    assert (packed.dtype, packed.shape) == (np.uint8, (40, 3))
    assert (signs(packed, 21) == np.where(vectors > 0, 1, -1)).all()
    assert packed[0, 0] == sum(int(value > 0) << (7 - place) for place, value in enumerate(vectors[0, :8]))


def test_no_rows_at_all() -> None:
    nothing = np.zeros((0, 9), dtype=np.float32)
    assert [quantized(nothing, kind).shape for kind in OUTPUTS] == [(0, 9), (0, 9), (0, 2)]


def test_unknown_output_is_refused() -> None:
    with pytest.raises(RequestError, match="output: 'int4' is none of fp32, int8, binary"):
        quantized(rows(), "int4")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="'int4'"):
        tiny_encoder("bert").encode(SENTENCES, output="int4")  # type: ignore[arg-type]


@pytest.mark.parametrize("output", ["int8", "binary"])
def test_an_encoder_s_outputs_are_its_vectors_in_fewer_bytes(output, tmp_path) -> None:  # noqa: ANN001
    encoder = tiny_encoder("bert")
    expected = quantized(encoder.encode(SENTENCES, normalize=True), output)
    np.testing.assert_array_equal(encoder.encode(SENTENCES, normalize=True, output=output), expected)
    np.testing.assert_array_equal(
        encoder.encode(SENTENCES[0], output=output), encoder.encode(SENTENCES[:1], output=output)[0]
    )
    encoder.encode_file(SENTENCES, tmp_path / "out.npy", normalize=True, output=output)
    stored = np.load(tmp_path / "out.npy")
    assert stored.dtype == expected.dtype
    np.testing.assert_array_equal(stored, expected)
    assert encoder.encode([], output=output).shape == (0, expected.shape[1])


def test_similarity_of_each_output() -> None:
    encoder = tiny_encoder("bert")
    exact = encoder.similarity(encoder.encode(SENTENCES))
    eight = encoder.similarity(encoder.encode(SENTENCES, output="int8"))
    assert 0 < np.abs(exact - eight).max() < 0.01
    one = encoder.similarity(encoder.encode(SENTENCES, output="binary"))
    bits = encoder.encode(SENTENCES) > 0
    unlike = (bits[:, None] != bits[None]).sum(axis=2)
    np.testing.assert_allclose(one, 1 - 2 * unlike / encoder.dimension, atol=1e-6)
