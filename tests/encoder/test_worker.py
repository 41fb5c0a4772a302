from __future__ import annotations

import io
import pickle

import numpy as np
import pytest
import torch

from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder.encode import Pass
from twinset.encoder.worker import serve
from twinset.errors import RequestError


@pytest.fixture(autouse=True)
def own_threads():  # noqa: ANN201
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def a_pass() -> Pass:
    encoder = tiny_encoder("bert")
    return Pass(backbone=encoder.backbone, tokenizer=encoder.tokenizer, max_length=8)


def answers(*windows: list[object]) -> list[object]:
    source = io.BytesIO(pickle.dumps((a_pass(), "cpu", 1)) + b"".join(map(pickle.dumps, windows)))
    target = io.BytesIO()
    serve(source, target)
    target.seek(0)
    return [pickle.load(target) for _ in windows]  # noqa: S301


def test_vectors_and_counts_of_each_window() -> None:
    first, second = answers(list(SENTENCES), ["rain"])
    (expected,) = a_pass().blocks(SENTENCES)
    np.testing.assert_allclose(first[0], expected, atol=1e-6)
    lengths = tiny_encoder("bert").tokenize(SENTENCES).lengths
    assert first[1:] == (10, int((lengths > 8).sum()))
    assert second[1:] == (1, 0)


def test_what_is_refused_goes_back_as_an_error_and_the_next_is_served() -> None:
    error, found = answers(["rain", None], ["rain"])
    assert isinstance(error, RequestError)
    assert "item 2 is None" in str(error)
    assert found[1:] == (1, 0)


def test_threads_are_taken() -> None:
    torch.set_num_threads(2)
    answers()
    assert torch.get_num_threads() == 1
