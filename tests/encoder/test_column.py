from __future__ import annotations

import pyarrow as pa
import pytest
import tokenizers
from tokenizers import normalizers
from transformers import PreTrainedTokenizerFast

from tests.encoder.tiny import SENTENCES, tiny_tokenizer
from twinset.data import Texts
from twinset.encoder import column as module
from twinset.encoder.column import Column
from twinset.encoder.tokenize import tokenize

TEXTS = Texts([*SENTENCES, "", "ünïcödé 😀"])


def column(**settings: object) -> Column:
    given = {"texts": TEXTS, "tokenizer": tiny_tokenizer("bert"), "max_length": 20, **settings}
    return Column(**given)  # type: ignore[arg-type]


def key(*texts: str) -> str:
    return column(texts=Texts(texts)).key()


def test_the_tokens_are_those_of_all_texts_with_the_prompt() -> None:
    mine = column(prompt="the dog ", max_length=7)
    expected = tokenize(TEXTS, tiny_tokenizer("bert"), max_length=7, prompt="the dog ")
    assert mine.tokenized().ids.tolist() == expected.ids.tolist()
    assert mine.tokenized().truncated == expected.truncated > 0
    assert mine.tokenized(["a cat"]).lengths.tolist() == [6]


def test_equal_columns_have_one_key() -> None:
    assert column().key() == column().key()
    assert len(column().key()) == 32


def test_the_key_is_of_the_texts_and_not_of_where_they_lie() -> None:
    whole = Texts(["before", *TEXTS, "after"])
    assert column(texts=whole[1:-1]).key() == column().key()
    rebuilt = Texts(pa.chunked_array([TEXTS[:4].arrow, TEXTS[4:].arrow]))
    assert column(texts=rebuilt).key() == column().key()
    assert column(texts=whole).key() != column().key()


def test_texts_cut_or_ordered_otherwise_have_another() -> None:
    several = [("ab", "c"), ("a", "bc"), ("c", "ab"), ("abc",), ("abc", ""), ("", "abc"), ()]
    assert len({key(*texts) for texts in several}) == len(several)


def test_lengths_are_hashed_over_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = column().key()
    monkeypatch.setattr(module, "_AT_ONCE", 5)
    assert column().key() == whole
    assert key("ab", "c", *"defgh") != key("a", "bc", *"defgh")


def test_texts_without_a_character_have_a_key() -> None:
    assert key("", "") != key("") != key()


def cased() -> PreTrainedTokenizerFast:
    tokenizer = tiny_tokenizer("bert")
    tokenizer.backend_tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    return tokenizer


@pytest.mark.parametrize(
    "settings",
    [{"max_length": 21}, {"prompt": "q: "}, {"tokenizer": cased()}],
    ids=["length", "prompt", "tokenizer"],
)
def test_what_decides_the_tokens_decides_the_key(settings: dict[str, object]) -> None:
    assert column(**settings).key() != column().key()


def test_so_does_what_a_tokenizer_is_told() -> None:
    found = [column().key()]
    left, split, other = (tiny_tokenizer("bert") for _ in range(3))
    left.truncation_side = "left"
    split.backend_tokenizer.encode_special_tokens = True
    other.unk_token = other.mask_token  # what stands for a text without a token
    found += [column(tokenizer=each).key() for each in (left, split, other)]
    assert len(set(found)) == 4


def test_and_the_library_s_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = column().key()
    monkeypatch.setattr(tokenizers, "__version__", "0.0.1")
    assert column().key() != before


def test_what_others_left_in_the_tokenizer_decides_nothing() -> None:
    used = tiny_tokenizer("bert")
    used.backend_tokenizer.enable_padding(length=30)
    used.backend_tokenizer.enable_truncation(5)
    assert column(tokenizer=used).key() == column().key()
    column(tokenizer=used).tokenized()
    assert column(tokenizer=used).key() == column().key()
