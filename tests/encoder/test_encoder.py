from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from torch import nn

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from twinset.encoder import POOLINGS, Encoder, Engine, Prompts
from twinset.encoder.head import Dense
from twinset.errors import ModelError, RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from twinset.encoder import Pooling

EDGES = (
    "",
    " ",
    "word " * 10_000,
    "😀 emoji 👩‍👩‍👧",
    "中文的句子",
    "\ud83d lone surrogate",
    "a\x00b",
    "tab\tand\nline",
)


@torch.no_grad()
def by_transformers(encoder: Encoder, text: str, pooling: str) -> np.ndarray:
    """One text, through transformers' own tokenizer and model, pooled here."""
    inputs = encoder.tokenizer([text], truncation=True, max_length=encoder.max_length, return_tensors="pt")
    output = encoder.backbone.model.eval()(
        input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], output_hidden_states=True
    )
    layers = [state[0].numpy() for state in output.hidden_states]
    last = output.last_hidden_state[0].numpy()
    return {
        "cls": last[0],
        "mean": last.mean(axis=0),
        "max": last.max(axis=0),
        "last": last[-1],
        "first_last": (layers[1].mean(axis=0) + last.mean(axis=0)) / 2,
        "last_two": (layers[-2].mean(axis=0) + last.mean(axis=0)) / 2,
        "static_last": (layers[0].mean(axis=0) + last.mean(axis=0)) / 2,
    }[pooling]


@pytest.mark.parametrize("pooling", POOLINGS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_encode_equals_transformers(architecture: str, pooling: Pooling) -> None:
    encoder = tiny_encoder(architecture, pooling=pooling)
    texts = [*SENTENCES, "", "中文的句子", "word " * 300]
    vectors = encoder.encode(texts, engine=Engine(batch_tokens=200))
    assert vectors.dtype == np.float32
    expected = np.stack([by_transformers(encoder, text, pooling) for text in texts])
    np.testing.assert_allclose(vectors, expected, atol=3e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_poolings_from_one_pass_equal_encode(architecture: str) -> None:
    encoder = tiny_encoder(architecture)
    encoder.normalize = True
    passes = []
    encoder.backbone.model.register_forward_hook(lambda *_: passes.append(1))
    found = encoder.poolings(SENTENCES)
    assert (len(passes), tuple(found)) == (1, POOLINGS)
    for pooling in POOLINGS:
        np.testing.assert_allclose(found[pooling], encoder.with_pooling(pooling).encode(SENTENCES), atol=1e-6)


def test_poolings_of_nothing() -> None:
    found = tiny_encoder("bert").poolings([], ["mean", "cls"])
    assert {name: vectors.shape for name, vectors in found.items()} == {"mean": (0, 32), "cls": (0, 32)}
    assert tiny_encoder("bert").poolings(SENTENCES, []) == {}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_odd_texts_get_finite_vectors(architecture: str) -> None:
    vectors = tiny_encoder(architecture).encode(EDGES)
    assert vectors.shape == (len(EDGES), 32)
    assert np.isfinite(vectors).all()


def test_shapes() -> None:
    encoder = tiny_encoder("bert")
    assert encoder.encode("one text").shape == (32,)
    assert encoder.encode([]).shape == (0, 32)
    assert encoder.encode(text for text in SENTENCES).shape == (10, 32)
    np.testing.assert_array_equal(encoder.encode(np.array(SENTENCES)), encoder.encode(SENTENCES))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_training_is_possible_after_encoding(architecture: str) -> None:
    encoder = tiny_encoder(architecture)
    encoder.encode(SENTENCES)
    assert encoder.backbone.training
    store = encoder.tokenize(SENTENCES)
    from twinset.types import Look

    encoder.backbone(Look(tokens=store.take(np.arange(3)))).sum().backward()


def test_normalize() -> None:
    encoder = tiny_encoder("bert")
    raw = encoder.encode(SENTENCES)
    unit = encoder.encode(SENTENCES, normalize=True)
    np.testing.assert_allclose(unit, raw / np.linalg.norm(raw, axis=1, keepdims=True), atol=1e-6)
    encoder.normalize = True
    np.testing.assert_array_equal(encoder.encode(SENTENCES), unit)
    np.testing.assert_array_equal(encoder.encode(SENTENCES, normalize=False), raw)
    for asked in (None, True, False):
        (expected,) = encoder.encode(SENTENCES[:1], normalize=asked)
        np.testing.assert_array_equal(encoder.encode(SENTENCES[0], normalize=asked), expected)


def test_roles() -> None:
    encoder = tiny_encoder("bert")
    encoder.prompts = Prompts({"query": "q: ", "passage": "p: ", "other": "o: "}, default="other")
    plain = {front: encoder.encode("rain", prompt=front) for front in ("", "q: ", "p: ", "o: ")}
    assert len({vector.tobytes() for vector in plain.values()}) == 4
    np.testing.assert_array_equal(encoder.encode_query("rain"), plain["q: "])
    np.testing.assert_array_equal(encoder.encode_document("rain"), plain["p: "])
    np.testing.assert_array_equal(encoder.encode("rain", role="other"), plain["o: "])
    np.testing.assert_array_equal(encoder.encode("rain"), plain["o: "])
    np.testing.assert_array_equal(encoder.encode_query(["rain"])[0], plain["q: "])
    assert encoder.tokenize(["rain"], role="query").lengths.tolist() == [5]
    with pytest.raises(RequestError, match="role 'nobody'"):
        encoder.encode("rain", role="nobody")


def test_poolings_take_the_roles_prompt_and_the_head() -> None:
    encoder = tiny_encoder("bert")
    encoder.prompts = Prompts({"query": "how do i: "})
    encoder.backbone.head.append(Dense(nn.Linear(32, 7), nn.Tanh()))
    found = encoder.poolings(SENTENCES, ["cls", "mean"], role="query")
    for pooling, vectors in found.items():
        np.testing.assert_allclose(vectors, encoder.with_pooling(pooling).encode_query(SENTENCES), atol=1e-6)


def test_tokens_are_cut_to_the_shorter_length() -> None:
    encoder = tiny_encoder("bert")
    encoder.max_length = 6
    texts = ["a cat sat on the mat"]
    assert [encoder.tokenize(texts, max_length=size).lengths[0] for size in (4, 6, 50)] == [4, 6, 6]


def test_count_truncated() -> None:
    encoder = tiny_encoder("bert")
    encoder.max_length = 8
    encoder.prompts = Prompts({"query": "cat cat "})
    assert encoder.count_truncated(["a cat sat on the mat", "rain"]) == 0
    assert encoder.count_truncated(["a cat sat on the mat", "rain"], role="query") == 1


def test_encode_file(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    (tmp_path / "lines.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    assert encoder.encode_file(tmp_path / "lines.txt", tmp_path / "out.npy", normalize=True) == 10
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), encoder.encode(SENTENCES, normalize=True))
    assert encoder.encode_file(iter(SENTENCES[:3]), tmp_path / "out.npy", role="query") == 3
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), encoder.encode(SENTENCES[:3]))


def test_a_file_gets_the_roles_prompt(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    encoder.prompts = Prompts({"query": "how do i: "})
    encoder.encode_file(iter(SENTENCES[:3]), tmp_path / "out.npy", role="query")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), encoder.encode_query(SENTENCES[:3]))


def test_encode_file_leaves_nothing_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_bytes(b"fine\n\xff\n")
    with pytest.raises(RequestError, match=r"lines\.txt, line 2"):
        tiny_encoder("bert").encode_file(tmp_path / "lines.txt", tmp_path / "out.npy")
    assert [path.name for path in tmp_path.iterdir()] == ["lines.txt"]


def test_bf16_is_near_fp32_and_not_it() -> None:
    encoder = tiny_encoder("bert")
    exact, rough = encoder.encode(SENTENCES), encoder.encode(SENTENCES, precision="bf16")
    assert rough.dtype == np.float32
    assert 0 < np.abs(rough - exact).max() < 0.1
    (alone,) = encoder.encode(SENTENCES[:1], precision="bf16")
    np.testing.assert_array_equal(encoder.encode(SENTENCES[0], precision="bf16"), alone)
    assert np.abs(alone - encoder.encode(SENTENCES[0])).max() > 0


def test_with_pooling_shares_weights_and_copy_does_not() -> None:
    encoder = tiny_encoder("bert")
    other, own = encoder.with_pooling("cls"), encoder.copy()
    weight = next(encoder.backbone.parameters())
    assert next(other.backbone.parameters()) is weight
    assert (encoder.pooling, other.pooling) == ("mean", "cls")
    before = own.encode(SENTENCES)
    np.testing.assert_array_equal(before, encoder.encode(SENTENCES))
    with torch.no_grad():
        weight.add_(torch.randn_like(weight))
    np.testing.assert_array_equal(own.encode(SENTENCES), before)
    assert np.abs(encoder.encode(SENTENCES) - before).max() > 1e-3


def test_unknown_pooling() -> None:
    with pytest.raises(ModelError, match="pooling 'meen' is none of cls, mean, max"):
        tiny_encoder("bert").with_pooling("meen")  # type: ignore[arg-type]


def test_unusable_device() -> None:
    with pytest.raises(RequestError, match="device 'gpu' cannot be used here"):
        tiny_encoder("bert").to("gpu")


def test_similarity() -> None:
    encoder = tiny_encoder("bert")
    first, second = np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([[4.0, 3.0]])
    np.testing.assert_allclose(encoder.similarity(first, second), [[0.96], [0.0]], atol=1e-6)
    np.testing.assert_allclose(encoder.similarity(first), [[1, 0], [0, 0]], atol=1e-6)
    assert encoder.similarity(first[0], second[0]).shape == (1, 1)


def test_dimension_is_the_last_dense_layers() -> None:
    encoder = tiny_encoder("distilbert")
    assert encoder.dimension == 32
    encoder.backbone.head.extend([Dense(nn.Linear(32, 7), nn.Tanh()), Dense(nn.Linear(7, 5), nn.Tanh())])
    assert encoder.dimension == 5
    assert encoder.encode([]).shape == (0, 5)
    assert encoder.encode(SENTENCES).shape == (10, 5)


def test_mini() -> None:
    encoder = Encoder.mini(device="cpu")
    assert (encoder.dimension, encoder.max_length, encoder.pooling, encoder.name) == (
        256,
        128,
        "mean",
        "mini",
    )
    near = encoder.similarity(
        encoder.encode(["how do i reset my password", "my password does not work", "rain"])
    )
    assert near[0, 1] > near[0, 2], "it has learned language"
    assert next(encoder.backbone.parameters()).dtype == torch.float32


def test_asking_for_names_loads_nothing_heavy() -> None:
    program = (
        "import sys, twinset.encoder as room\n"
        "assert not {'torch', 'transformers'} & set(sys.modules), 'too early'\n"
        "assert room.Encoder.__name__ == 'Encoder' and 'Encoder' in dir(room)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_unknown_name_in_the_room() -> None:
    import twinset.encoder

    with pytest.raises(AttributeError, match="'Encodr'"):
        twinset.encoder.Encodr  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.slow
def test_a_file_is_encoded_in_constant_memory(tmp_path: Path) -> None:
    """Six windows take no more room than two."""
    import tracemalloc

    encoder = tiny_encoder("bert")
    peaks = []
    for windows in (2, 6):
        tracemalloc.start()
        encoder.encode_file((f"text {n}" for n in range(windows * 16_384)), tmp_path / "out.npy")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.2
