from __future__ import annotations

import json
import logging
import os
import shutil
from collections import namedtuple
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file
from torch import nn

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from twinset.encoder import POOLINGS, Card, Encoder, Prompts
from twinset.encoder import save as module
from twinset.encoder.head import Dense, UnitLength
from twinset.errors import RequestError, WorkError

if TYPE_CHECKING:
    from pathlib import Path

    from twinset.encoder import Pooling

TEXTS = [*SENTENCES, "", "中文 😀", "word " * 300]


@pytest.mark.parametrize("pooling", POOLINGS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_all_three_readers_agree(tmp_path: Path, architecture: str, pooling: Pooling) -> None:
    encoder = tiny_encoder(architecture, pooling=pooling)
    vectors = encoder.encode(TEXTS)
    encoder.save_pretrained(tmp_path / "model")
    again = Encoder.from_pretrained(tmp_path / "model", device="cpu")
    assert (again.pooling, again.max_length) == (pooling, encoder.max_length)
    np.testing.assert_array_equal(again.encode(TEXTS), vectors)

    transformers.AutoModel.from_pretrained(tmp_path / "model")
    st = pytest.importorskip("sentence_transformers")
    theirs = st.SentenceTransformer(str(tmp_path / "model"), device="cpu").encode(TEXTS)
    np.testing.assert_allclose(theirs, vectors, atol=1e-6)


def test_head_normalize_and_prompts(tmp_path: Path) -> None:
    encoder = tiny_encoder("roberta", pooling="first_last")
    head = [
        UnitLength(),
        Dense(nn.Linear(32, 9), nn.GELU()),
        Dense(nn.Linear(9, 5, bias=False), nn.Identity()),
    ]
    encoder.backbone.head.extend(head)
    encoder.normalize = True
    encoder.prompts = Prompts({"query": "the query: ", "passage": "a "}, default="passage")
    encoder.max_length = 40
    encoder.similarity_name = "dot"
    encoder.save_pretrained(tmp_path / "model")
    again = Encoder.from_pretrained(tmp_path / "model", device="cpu")
    assert (again.normalize, again.max_length, again.similarity_name) == (True, 40, "dot")
    assert (dict(again.prompts), again.prompts.default) == (dict(encoder.prompts), "passage")
    st = pytest.importorskip("sentence_transformers")
    theirs = st.SentenceTransformer(str(tmp_path / "model"), device="cpu")
    assert theirs.similarity_fn_name == "dot"
    for role, encode in ((None, theirs.encode), ("query", theirs.encode_query)):
        np.testing.assert_array_equal(again.encode(TEXTS, role=role), encoder.encode(TEXTS, role=role))
        np.testing.assert_allclose(encode(TEXTS), encoder.encode(TEXTS, role=role), atol=1e-6)


def test_saved_again_it_is_the_same_folder(tmp_path: Path) -> None:
    tiny_encoder("bert", pooling="last_two").save_pretrained(tmp_path / "one")
    Encoder.from_pretrained(tmp_path / "one").save_pretrained(tmp_path / "two")
    for file in sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file()):
        other = tmp_path / "two" / file.relative_to(tmp_path / "one")
        assert other.read_bytes() == file.read_bytes(), file.name


def test_weights_are_stored_as_fp32(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    encoder.backbone.half()
    encoder.save_pretrained(tmp_path / "model")
    assert {value.dtype for value in load_file(tmp_path / "model/model.safetensors").values()} == {
        torch.float32
    }
    assert json.loads((tmp_path / "model/config.json").read_text())["dtype"] == "float32"


def test_older_releases_know_the_words(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    encoder.normalize = True
    encoder.save_pretrained(tmp_path / "model")
    types = [part["type"] for part in json.loads((tmp_path / "model/modules.json").read_text())]
    assert types == [
        f"sentence_transformers.models.{kind}" for kind in ("Transformer", "Pooling", "Normalize")
    ]
    pooling = json.loads((tmp_path / "model/1_Pooling/config.json").read_text())
    assert pooling["pooling_mode_mean_tokens"] is True
    assert "pooling_mode" not in pooling
    settings = json.loads((tmp_path / "model/tokenizer_config.json").read_text())
    assert settings["tokenizer_class"] == "PreTrainedTokenizerFast"


def test_nothing_random_is_made_or_reported_for_others(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    st = pytest.importorskip("sentence_transformers")
    tiny_encoder("bert").save_pretrained(tmp_path / "model")
    capfd.readouterr()
    assert st.SentenceTransformer(str(tmp_path / "model"), device="cpu")[0].model.pooler is None
    assert "MISSING" not in capfd.readouterr().err


def test_pooling_that_cannot_be_told_exactly_is_told_honestly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "_last_state_is_output", lambda _encoder: False)
    encoder = tiny_encoder("modernbert", pooling="first_last")
    with caplog.at_level(logging.WARNING):
        encoder.save_pretrained(tmp_path / "model")
    assert "sentence-transformers cannot pool this architecture's layers by first_last" in caplog.text
    assert (
        "cannot pool this architecture's layers by first_last" in (tmp_path / "model/README.md").read_text()
    )
    again = Encoder.from_pretrained(tmp_path / "model", device="cpu")
    np.testing.assert_array_equal(again.encode(TEXTS), encoder.encode(TEXTS))
    st = pytest.importorskip("sentence_transformers")
    theirs = st.SentenceTransformer(str(tmp_path / "model"), device="cpu").encode(TEXTS)
    np.testing.assert_allclose(theirs, encoder.with_pooling("mean").encode(TEXTS), atol=1e-6)


def test_probe_tells_a_missing_final_norm(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    assert module._last_state_is_output(encoder)

    def without(_module: nn.Module, _inputs: object, output: transformers.utils.ModelOutput) -> object:
        output.last_hidden_state = output.last_hidden_state * 2
        return output

    encoder.backbone.model.register_forward_hook(without)
    assert not module._last_state_is_output(encoder)


def test_card(tmp_path: Path) -> None:
    card = Card(base_model="mini", data="12,000 tickets", scores={"STS-B": 0.7})
    tiny_encoder("bert").save_pretrained(tmp_path / "model", card=card)
    text = (tmp_path / "model/README.md").read_text()
    for part in ("12,000 tickets", "| STS-B | 0.7 |", "| dimensions | 32 |", "library_name"):
        assert part in text


def test_existing_folder_is_kept_unless_asked(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    encoder = tiny_encoder("bert")
    with pytest.raises(RequestError, match="model: exists already"):
        encoder.save_pretrained(target)
    assert (target / "mine.txt").read_text() == "mine"
    encoder.save_pretrained(target, overwrite=True)
    assert not (target / "mine.txt").exists()
    assert (target / "modules.json").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_empty_folder_may_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "a/model").mkdir(parents=True)
    tiny_encoder("bert").save_pretrained(tmp_path / "a/model")
    tiny_encoder("bert").save_pretrained(tmp_path / "b/c/model")
    assert (tmp_path / "a/model/modules.json").exists()
    assert (tmp_path / "b/c/model/modules.json").exists()


def test_file_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("a file")
    with pytest.raises(RequestError, match="model: is a file"):
        tiny_encoder("bert").save_pretrained(tmp_path / "model", overwrite=True)


@pytest.mark.parametrize("step", ["_write_pooling", "_put_in_place"])
def test_failure_on_the_way_leaves_everything_as_it_was(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = tiny_encoder("bert")
    encoder.save_pretrained(tmp_path / "model", card=Card(data="the old one"))

    def fail(*_arguments: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(module, step, fail)
    with pytest.raises(WorkError, match="model: could not be written: No space left on device"):
        encoder.save_pretrained(tmp_path / "model", overwrite=True)
    assert "the old one" in (tmp_path / "model/README.md").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_failed_renaming_puts_the_old_folder_back(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/old.txt").write_text("old")
    with pytest.raises(FileNotFoundError):
        module._put_in_place(tmp_path / "no draft", tmp_path / "model")
    assert (tmp_path / "model/old.txt").read_text() == "old"


def test_full_disk_is_seen_before_the_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(10, 10, 5 << 20))
    with pytest.raises(WorkError, match=r"model: needs 16 MB, and the disk has 5 MB left"):
        tiny_encoder("bert").save_pretrained(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_what_else_is_written_needs_as_much_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024
    encoder = tiny_encoder("bert")
    size = 4 * sum(weight.numel() for weight in encoder.backbone.parameters())
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(10, 10, (16 << 20) + size))
    with pytest.raises(WorkError, match="the disk has 16 MB left"):
        module.save(encoder, tmp_path / "model", card=None, overwrite=False, extra=lambda _draft: None)
    encoder.save_pretrained(tmp_path / "model")


def test_what_else_is_written_is_there_or_nothing(tmp_path: Path) -> None:
    def write(draft: Path) -> None:
        assert not (tmp_path / "model").exists()
        (draft / "more.txt").write_text("more")

    module.save(tiny_encoder("bert"), tmp_path / "model", card=None, overwrite=False, extra=write)
    assert (tmp_path / "model/more.txt").read_text() == "more"
