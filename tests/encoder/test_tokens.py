from __future__ import annotations

import numpy as np
import pytest
import torch

from twinset.encoder.tokens import TokenStore

STORE = TokenStore(ids=np.array([5, 6, 7, 8, 9], dtype=np.int32), starts=np.array([0, 3, 3, 5]), pad_id=1)


def test_take_pads_on_the_right_with_the_pad_id() -> None:
    tokens = STORE.take(torch.tensor([2, 0]))
    assert tokens.input_ids.tolist() == [[8, 9, 1], [5, 6, 7]]
    assert tokens.lengths.tolist() == [2, 3]
    assert tokens.input_ids.dtype == torch.int64


def test_text_without_tokens_is_all_padding() -> None:
    assert STORE.take(np.array([1])).input_ids.tolist() == [[1]]


def test_lengths() -> None:
    assert len(STORE) == 3
    assert STORE.lengths.tolist() == [3, 0, 2]


def test_a_batch_does_not_look_at_all_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_of_them(self: TokenStore) -> None:
        raise AssertionError("the lengths of all texts")

    monkeypatch.setattr(TokenStore, "lengths", property(all_of_them))
    assert STORE.take(np.array([2, 0, 2])).lengths.tolist() == [2, 3, 2]


def test_no_rows_at_all() -> None:
    assert STORE.take(np.zeros(0, dtype=np.int64)).input_ids.shape == (0, 1)


def test_lengths_of_a_batch_are_its_own() -> None:
    tokens = STORE.take(np.array([0]))
    tokens.lengths[0] = 99
    assert STORE.lengths.tolist() == [3, 0, 2]
