from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder, tiny_model, tiny_tokenizer
from twinset.encoder import Encoder
from twinset.encoder.load import load_transformer
from twinset.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path


def plain_folder(folder: Path, architecture: str = "bert", dtype: torch.dtype = torch.float32) -> Path:
    """As transformers writes it."""
    tiny_model(architecture).to(dtype).save_pretrained(folder)
    tiny_tokenizer(architecture).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_plain_transformers_folder(
    tmp_path: Path, architecture: str, capfd: pytest.CaptureFixture[str]
) -> None:
    plain_folder(tmp_path, architecture)
    capfd.readouterr()
    encoder = Encoder.from_pretrained(tmp_path, device="cpu")
    assert capfd.readouterr() == ("", ""), "no noise"
    assert (encoder.pooling, encoder.normalize, encoder.max_length) == ("mean", False, 128)
    np.testing.assert_array_equal(encoder.encode(SENTENCES), tiny_encoder(architecture).encode(SENTENCES))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_weights_are_read_as_fp32(tmp_path: Path, dtype: torch.dtype) -> None:
    encoder = Encoder.from_pretrained(plain_folder(tmp_path, dtype=dtype), device="cpu")
    assert {weight.dtype for weight in encoder.backbone.parameters()} == {torch.float32}
    stored = tiny_encoder("bert")
    stored.backbone.to(dtype).float()
    np.testing.assert_allclose(encoder.encode(SENTENCES), stored.encode(SENTENCES), atol=1e-6)


def test_pooler_comes_only_from_the_file(tmp_path: Path) -> None:
    bare, _ = load_transformer(plain_folder(tmp_path / "bare"))
    assert bare.pooler is None
    whole = transformers.BertModel(tiny_model("bert").config)
    whole.save_pretrained(tmp_path / "whole")
    tiny_tokenizer("bert").save_pretrained(tmp_path / "whole")
    found, _ = load_transformer(tmp_path / "whole")
    assert torch.equal(found.pooler.dense.weight, whole.pooler.dense.weight)


def test_loading_takes_nothing_from_the_callers_random_stream(tmp_path: Path) -> None:
    plain_folder(tmp_path)
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    load_transformer(tmp_path)
    assert torch.equal(torch.rand(3), expected)


def test_language_model_heads_are_left_behind(tmp_path: Path) -> None:
    model = transformers.BertForMaskedLM(tiny_model("bert").config)
    model.save_pretrained(tmp_path)
    tiny_tokenizer("bert").save_pretrained(tmp_path)
    found, _ = load_transformer(tmp_path)
    assert type(found).__name__ == "BertModel"
    assert torch.equal(found.embeddings.word_embeddings.weight, model.bert.embeddings.word_embeddings.weight)


def test_settings_of_transformers_are_put_back(tmp_path: Path) -> None:
    logging = transformers.utils.logging
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    load_transformer(plain_folder(tmp_path))
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


def test_missing_weights_are_refused(tmp_path: Path) -> None:
    plain_folder(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    gone = "encoder.layer.1.attention.self.query.weight"
    del weights[gone]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=rf"1 weights are not in its files \({gone}"):
        load_transformer(tmp_path)


def no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def bad_config(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def unknown_model(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "brt"}')


def nameless_model(folder: Path) -> None:
    (folder / "config.json").write_text("{}")


def cut_weights(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:1000])


def no_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").unlink()


def broken_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def other_shapes(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 48}))


def other_tokenizer(folder: Path) -> None:
    tiny_tokenizer("roberta").save_pretrained(folder)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (no_config, "has no config.json"),
        (bad_config, r"config\.json: cannot be read as a transformer's"),
        (unknown_model, r"config\.json: cannot be read as a transformer's: .*brt"),
        (nameless_model, r"config\.json: cannot be read as a transformer's"),
        (cut_weights, "the weights cannot be loaded"),
        (no_weights, "the weights cannot be loaded"),
        (no_tokenizer, "has no vocabulary"),
        (broken_tokenizer, "the tokenizer cannot be loaded"),
        (other_shapes, "the weights cannot be loaded"),
        (other_tokenizer, "the tokenizer knows 389 tokens, the bert only 147"),
    ],
)
def test_spoilt_folder(tmp_path: Path, spoil, message: str) -> None:  # noqa: ANN001
    spoil(plain_folder(tmp_path / "model"))
    with pytest.raises(ModelError, match=f"model.*{message}"):
        Encoder.from_pretrained(tmp_path / "model")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (transformers.GPT2Config(), "gpt2 is a decoder"),
        (transformers.Qwen2Config(), "qwen2 is a decoder"),
        (transformers.T5Config(), "t5 has an encoder and a decoder"),
        (transformers.BartConfig(), "bart has an encoder and a decoder"),
        (transformers.BertConfig(is_decoder=True), "bert is a decoder"),
        (transformers.ViTConfig(), "vit is no text encoder"),
    ],
    ids=lambda value: getattr(value, "model_type", ""),
)
def test_other_kinds_of_models(tmp_path: Path, config: transformers.PretrainedConfig, message: str) -> None:
    config.save_pretrained(tmp_path)
    with pytest.raises(ModelError, match=message):
        Encoder.from_pretrained(tmp_path)
