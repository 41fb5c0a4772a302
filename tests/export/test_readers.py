from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.encoder.graphs import GRAPHS, graph_folder
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.export.readers import suit_readers

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("backend", GRAPHS)
def test_arguments_that_a_runtime_refuses_are_taken_away(backend: str) -> None:
    settings = json.loads((graph_folder(backend) / "sentence_bert_config.json").read_text())
    assert settings == {"max_seq_length": 128, "do_lower_case": False}
    assert "Note" not in (graph_folder(backend) / "README.md").read_text()


def test_sentence_transformers_opens_the_weights_as_ever() -> None:
    st = pytest.importorskip("sentence_transformers")
    theirs = st.SentenceTransformer(str(graph_folder("onnx")), device="cpu").encode(list(SENTENCES))
    np.testing.assert_allclose(theirs, tiny_encoder("bert").encode(SENTENCES), atol=1e-6)


def test_what_others_cannot_pool_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tiny_encoder("bert", pooling="last_two").save_pretrained(tmp_path / "model")
    with caplog.at_level(logging.WARNING):
        suit_readers(tmp_path / "model", "onnx", "last_two")
    told = "with backend='onnx' it pools that by the mean, not by last_two, and its vectors differ"
    assert told in caplog.text
    assert told in (tmp_path / "model/README.md").read_text()
