from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder import encode
from twinset.encoder.encode import Pass
from twinset.errors import RequestError

if TYPE_CHECKING:
    from torch import Tensor

    from twinset.encoder import Backbone
    from twinset.types import Look


def a_pass(max_length: int = 128, batch_tokens: int | None = None) -> Pass:
    encoder = tiny_encoder("bert")
    return Pass(
        backbone=encoder.backbone,
        tokenizer=encoder.tokenizer,
        max_length=max_length,
        batch_tokens=batch_tokens,
    )


def test_what_goes_through_at_once_stays_within_the_budget() -> None:
    seen: list[tuple[int, int]] = []

    def embed(_: Backbone, look: Look) -> Tensor:
        seen.append(tuple(look.tokens.input_ids.shape))
        return look.tokens.lengths[:, None].float()

    run = a_pass(batch_tokens=40)
    blocks = list(run.blocks(SENTENCES, embed))
    assert len(seen) > 2
    assert all(rows * longest <= 40 for rows, longest in seen)
    store = tiny_encoder("bert").tokenize(SENTENCES)
    assert np.concatenate(blocks)[:, 0].tolist() == store.lengths.tolist(), "in the texts' order"


def test_windows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_pass()
    (whole,) = run.blocks(SENTENCES)
    monkeypatch.setattr(encode, "WINDOW", 3)
    parts = list(run.blocks(iter(SENTENCES)))
    assert [len(part) for part in parts] == [3, 3, 3, 1]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=2e-6)


def test_memory_that_ran_out_is_remembered_over_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "WINDOW", 5)
    tried: list[int] = []

    def embed(_: Backbone, look: Look) -> Tensor:
        tried.append(look.tokens.input_ids.numel())
        if tried[-1] > 30:
            raise MemoryError
        return look.tokens.lengths[:, None].float()

    assert len(np.concatenate(list(a_pass().blocks(SENTENCES * 3, embed)))) == 30
    too_much = [place for place, size in enumerate(tried) if size > 30]
    assert 0 < len(too_much) < 4
    assert max(too_much) < 5, "only in the first window"


def test_item_number_counts_over_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "WINDOW", 3)
    run = a_pass()
    with pytest.raises(RequestError, match="item 11 is None"):
        list(run.blocks([*SENTENCES, None]))  # type: ignore[list-item]


def test_one_warning_for_all_windows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(encode, "WINDOW", 2)
    run = a_pass(max_length=5)
    with caplog.at_level(logging.WARNING):
        list(run.blocks(["rain", "a cat sat on the mat", "dog", "the dog runs in the park"]))
    assert [record.getMessage() for record in caplog.records] == [
        "2 of 4 texts are longer than 5 tokens and were cut"
    ]


def test_no_warning_when_nothing_is_cut(caplog: pytest.LogCaptureFixture) -> None:
    run = a_pass()
    with caplog.at_level(logging.WARNING):
        list(run.blocks(SENTENCES))
    assert caplog.records == []


@pytest.mark.parametrize("budget", [0, -5])
def test_impossible_budget(budget: int) -> None:
    with pytest.raises(RequestError, match=f"batch_tokens: {budget}"):
        a_pass(batch_tokens=budget)


def test_training_goes_on_as_before() -> None:
    run = a_pass()
    run.backbone.train()
    run.backbone.model.encoder.layer[0].eval()
    list(run.blocks(SENTENCES))
    assert run.backbone.training
    assert not run.backbone.model.encoder.layer[0].training
    torch.manual_seed(0)
    look_at = run.backbone.model(input_ids=torch.tensor([[1, 2]])).last_hidden_state
    assert look_at.requires_grad
