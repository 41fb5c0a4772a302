from __future__ import annotations

import pytest

from tests.encoder.graphs import graph_folder
from tests.encoder.tiny import ARCHITECTURES, MAX_LENGTH, tiny_model, tiny_tokenizer
from twinset.encoder import Encoder
from twinset.encoder.length import length_of, positions_of
from twinset.errors import ModelError


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_positions_leave_out_those_before_the_first(architecture: str) -> None:
    assert positions_of(tiny_model(architecture)) == MAX_LENGTH


@pytest.mark.parametrize(
    ("stored", "tokenizers", "expected"),
    [(None, 10**30, 128), (None, 64, 64), (32, 64, 32), (96, 64, 96), (512, 64, 128)],
)
def test_what_the_folder_says_within_the_positions(
    stored: int | None, tokenizers: int, expected: int
) -> None:
    tokenizer = tiny_tokenizer("bert")
    tokenizer.model_max_length = tokenizers
    assert length_of(tiny_model("bert"), tokenizer, stored=stored, asked=None, name="x") == expected


def test_a_tokenizer_without_a_limit_says_nothing() -> None:
    tokenizer, model = tiny_tokenizer("bert"), tiny_model("bert")
    tokenizer.model_max_length = 10**30
    model.config.max_position_embeddings = -1  # positions that are computed have no table that ends
    assert length_of(model, tokenizer, stored=None, asked=None, name="x") == 512


def test_user_may_go_past_the_folder_up_to_the_positions() -> None:
    model, tokenizer = tiny_model("roberta"), tiny_tokenizer("roberta")
    assert length_of(model, tokenizer, stored=32, asked=128, name="x") == 128


def test_positions_of_a_graph_are_its_models() -> None:
    graph = Encoder.from_pretrained(graph_folder("onnx", "roberta"), backend="onnx").backbone.model
    assert graph.config.max_position_embeddings == 130
    assert positions_of(graph) == 128


@pytest.mark.parametrize("asked", [129, 2, 0, -1])
def test_impossible_length_is_refused_with_the_possible(asked: int) -> None:
    with pytest.raises(ModelError, match=rf"x: max_length={asked} cannot be: give a number from 3 to 128"):
        length_of(tiny_model("bert"), tiny_tokenizer("bert"), stored=None, asked=asked, name="x")
