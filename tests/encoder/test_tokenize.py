from __future__ import annotations

import pytest

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_tokenizer
from twinset.encoder.tokenize import CHUNK, tokenize, windows
from twinset.encoder.tokens import TokenStore
from twinset.errors import RequestError

EDGES = ["", " ", "word " * 500, "😀 emoji", "中文的句子", "a\x00b", "\ud83d\ude00", "Ünïcödé"]


def rows(store: TokenStore) -> list[list[int]]:
    return [store.ids[a:b].tolist() for a, b in zip(store.starts[:-1], store.starts[1:], strict=True)]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_same_ids_as_transformers(architecture: str) -> None:
    tokenizer = tiny_tokenizer(architecture)
    texts = [*SENTENCES, *EDGES[:6], EDGES[7]]
    expected = tokenizer(texts, truncation=True, max_length=20)["input_ids"]
    assert rows(tokenize(texts, tokenizer, max_length=20)) == expected


def test_truncated_texts_are_counted() -> None:
    texts = ["rain", "word " * 500, " ".join(["cat"] * 18), " ".join(["cat"] * 19)]
    store = tokenize(texts, tiny_tokenizer("bert"), max_length=20)
    assert store.truncated == 2
    assert store.lengths.tolist() == [3, 20, 20, 20]


def test_prompt_is_put_in_front() -> None:
    tokenizer = tiny_tokenizer("bert")
    with_prompt = tokenize(["the cat"], tokenizer, max_length=20, prompt="a dog: ")
    assert rows(with_prompt) == rows(tokenize(["a dog: the cat"], tokenizer, max_length=20))


def test_surrogate_pair_is_its_character_and_a_lone_one_is_replaced() -> None:
    tokenizer = tiny_tokenizer("roberta")
    given = tokenize(["\ud83d\ude00", "cat \ud83d", "dog"], tokenizer, max_length=20, prompt="q: ")
    assert rows(given) == rows(tokenize(["q: 😀", "q: cat \ufffd", "q: dog"], tokenizer, max_length=20))


@pytest.mark.parametrize("wrong", [None, 3.5, b"bytes", float("nan")])
@pytest.mark.parametrize("prompt", ["", "query: "])
def test_what_is_no_text_is_named_by_its_place(wrong: object, prompt: str) -> None:
    with pytest.raises(RequestError, match=rf"item 104 is .* \({type(wrong).__name__}\), not a text"):
        tokenize(["a", "b", "c", wrong], tiny_tokenizer("bert"), max_length=20, prompt=prompt, first=100)


def test_item_is_named_by_its_place_in_every_window() -> None:
    texts = [*["a"] * CHUNK, "b", None]
    with pytest.raises(RequestError, match=f"item {CHUNK + 2} is None"):
        tokenize(texts, tiny_tokenizer("bert"), max_length=20)  # type: ignore[list-item]


@pytest.mark.parametrize("wrong", ["one text", b"bytes", {"a": "text"}])
def test_one_text_is_no_sequence(wrong: object) -> None:
    with pytest.raises(RequestError, match=f"a {type(wrong).__name__} was given"):
        list(windows(wrong))  # type: ignore[arg-type]


def test_windows_keep_everything_in_order() -> None:
    assert list(windows(iter("abcde"), 2)) == [["a", "b"], ["c", "d"], ["e"]]


def test_many_windows_are_one_store() -> None:
    tokenizer = tiny_tokenizer("bert")
    texts = [*SENTENCES] * 1500
    store = tokenize(iter(texts), tokenizer, max_length=20)
    assert len(store) == 15_000
    assert rows(store)[-10:] == rows(tokenize(SENTENCES, tokenizer, max_length=20))


def test_no_texts() -> None:
    store = tokenize([], tiny_tokenizer("bert"), max_length=20)
    assert (len(store), store.truncated) == (0, 0)


def test_empty_text_of_a_tokenizer_without_specials_is_one_token() -> None:
    tokenizer = tiny_tokenizer("bert")
    backend = tokenizer.backend_tokenizer
    backend.post_processor = type(tiny_tokenizer("roberta").backend_tokenizer.post_processor)(
        single="$A", pair="$A $B", special_tokens=[]
    )
    assert rows(tokenize(["", "cat"], tokenizer, max_length=20))[0] == [tokenizer.unk_token_id]


def test_tokenizer_is_left_as_it_was() -> None:
    tokenizer = tiny_tokenizer("bert")
    before = tokenizer.backend_tokenizer.to_str()
    tokenize(["word " * 500], tokenizer, max_length=20)
    assert tokenizer.backend_tokenizer.to_str() == before


def test_padding_of_the_tokenizers_own_is_no_text() -> None:
    tokenizer = tiny_tokenizer("bert")
    expected = rows(tokenize(SENTENCES, tokenizer, max_length=20))
    tokenizer.backend_tokenizer.enable_padding(length=20)  # as the files of many published models have it
    assert rows(tokenize(SENTENCES, tokenizer, max_length=20)) == expected


def test_left_truncation_keeps_the_end() -> None:
    tokenizer = tiny_tokenizer("bert")
    tokenizer.truncation_side = "left"
    ids = rows(tokenize(["cat cat cat dog"], tokenizer, max_length=3))[0]
    assert ids[1] == tokenizer.convert_tokens_to_ids("dog")
