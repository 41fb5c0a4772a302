from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from twinset.baselines import InputWords, WordAverage
from twinset.data.texts import Texts
from twinset.encoder import Encoder
from twinset.errors import RequestError


def _table(encoder: Encoder) -> np.ndarray:
    return encoder.backbone.model.get_input_embeddings().weight.detach().numpy()  # type: ignore[operator]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_mean_of_sub_words_without_special_tokens(architecture: str) -> None:
    encoder = tiny_encoder(architecture)
    table, special = _table(encoder), set(encoder.tokenizer.all_special_ids)
    expected = []
    for text in SENTENCES:
        ids = [token for token in encoder.tokenizer(text)["input_ids"] if token not in special]
        expected.append(table[ids].mean(axis=0))
    np.testing.assert_allclose(WordAverage(InputWords(encoder)).encode(SENTENCES), expected, atol=1e-6)
    assert InputWords(encoder).dimension == table.shape[1]


def test_a_whole_word_counts_once() -> None:
    encoder = tiny_encoder("bert")
    first, second = (encoder.tokenizer.encode(word)[1:-1] for word in ("cat", "catdogs"))
    assert len(first) == 1
    assert len(second) > 1
    table = _table(encoder)
    whole = WordAverage(InputWords(encoder, whole=True)).encode(["cat catdogs"])
    np.testing.assert_allclose(whole, [(table[first[0]] + table[second].mean(axis=0)) / 2], atol=1e-6)
    pieces = WordAverage(InputWords(encoder)).encode(["cat catdogs"])
    np.testing.assert_allclose(pieces, [table[first + second].mean(axis=0)], atol=1e-6)


def test_names_tell_them_apart() -> None:
    encoder = tiny_encoder("bert")
    assert InputWords(encoder).name == "static sub-words of tiny-bert"
    assert InputWords(encoder, whole=True).name == "static words of tiny-bert"


def test_unknown_tokens_are_left_out_and_counted() -> None:
    encoder = tiny_encoder("bert")
    found = InputWords(encoder).split(Texts(["cat \u2603 cat", "", "\u2603"]))
    assert [len(words) for words in found.words] == [2, 0, 0]
    assert found.unknown == 2


def test_long_texts_are_not_cut() -> None:
    encoder = tiny_encoder("bert")
    encoder.tokenizer.backend_tokenizer.enable_truncation(16)  # as whoever else uses it may
    assert InputWords(encoder).split(Texts(["cat " * 500])).known == 500


def test_an_encoder_without_a_table_is_refused() -> None:
    graph = SimpleNamespace(backbone=SimpleNamespace(model=object()), name="graph")
    with pytest.raises(RequestError, match="graph: has no input embeddings to show; use backend torch"):
        InputWords(graph)  # type: ignore[arg-type]
