from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.encoder.tiny import tiny_encoder
from tests.training.runs import DATA, TEXTS, quick, quiet, run, same_weights, weights
from twinset.data import LabelledPairs, Pairs, ScoredPairs
from twinset.encoder import Prompts
from twinset.encoder import progress as progress_module
from twinset.errors import RecipeError, RequestError
from twinset.training import corpus as module
from twinset.training.corpus import tokenised


@pytest.fixture
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache folder, where tokens go."""
    monkeypatch.setenv("TWINSET_CACHE", str(tmp_path / "usual"))
    return tmp_path / "usual" / "tokens"


def test_every_column_is_tokenised_with_the_prompt_of_its_role() -> None:
    encoder = tiny_encoder("bert")
    encoder.prompts = Prompts({"query": "the dog "})
    pairs = Pairs(TEXTS[:3], TEXTS[1:4], roles=("query", "document"))
    first, second = tokenised(encoder, pairs, None).columns
    expected = encoder.tokenize([f"the dog {text}" for text in TEXTS[:3]])
    assert np.array_equal(first.ids, expected.ids)
    assert np.array_equal(second.ids, encoder.tokenize(TEXTS[1:4]).ids)


def test_texts_are_cut_to_the_recipe_s_length_and_the_encoder_s_stays() -> None:
    encoder = tiny_encoder("bert")
    corpus = tokenised(encoder, DATA, 5)
    assert corpus.columns[0].lengths.max() == 5
    assert corpus.truncated > 0
    assert encoder.max_length == 128
    assert tokenised(encoder, DATA, 10_000).truncated == 0


def test_a_length_without_room_for_a_text_is_refused() -> None:
    with pytest.raises(RecipeError, match="max_length: 2 leaves no room for a text; give at least 3"):
        tokenised(tiny_encoder("bert"), DATA, 2)
    assert tokenised(tiny_encoder("bert"), DATA, 3).columns[0].lengths.tolist() == [3] * len(DATA)


def test_a_batch_takes_the_rows_with_all_that_is_known_of_them() -> None:
    encoder = tiny_encoder("bert")
    scored = ScoredPairs(["a", "b", "c"], ["b", "x", "a"], scores=np.array([0.1, 0.2, 0.3]))
    batch = tokenised(encoder, scored, None).take(torch.tensor([2, 0]))
    assert batch.ids.tolist() == [[2, 0], [0, 1]]
    assert batch.scores is not None
    assert batch.scores.tolist() == [0.3, 0.1]
    assert batch.labels is None
    labelled = LabelledPairs(["a", "b"], ["c", "d"], labels=np.array([1, 0]))
    found = tokenised(encoder, labelled, None).take(torch.tensor([1]))
    assert found.labels is not None
    assert found.labels.tolist() == [0]


def test_large_columns_are_kept_in_the_usual_folder(usual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = tiny_encoder("bert")
    in_memory = tokenised(encoder, DATA, 9)
    monkeypatch.setattr(module, "LARGE", len(DATA) + 1)
    tokenised(encoder, DATA, 9, cache="auto")
    assert not usual.exists()
    monkeypatch.setattr(module, "LARGE", len(DATA))
    off = tokenised(encoder, DATA, 9, cache="off")
    assert not usual.exists()
    assert not isinstance(off.columns[0].ids.base, np.memmap)
    kept = tokenised(encoder, DATA, 9, cache="auto")
    assert len(list(usual.iterdir())) == 1
    assert isinstance(kept.columns[0].ids.base, np.memmap)
    assert np.array_equal(kept.columns[0].ids, in_memory.columns[0].ids)
    assert kept.truncated == in_memory.truncated > 0
    assert kept.take(torch.tensor([5, 1])).columns[0].lengths.tolist() == [9, 8]


def test_a_folder_that_is_named_keeps_columns_of_any_size(usual: Path, tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    encoder.prompts = Prompts({"query": "the dog "})
    pairs = Pairs(TEXTS[:3], TEXTS[1:4], roles=("query", "document"))
    found = tokenised(encoder, pairs, 5, cache=str(tmp_path / "mine"))
    assert len(list((tmp_path / "mine").iterdir())) == 2
    assert not usual.exists()
    for mine, expected in zip(found.columns, tokenised(encoder, pairs, 5).columns, strict=True):
        assert np.array_equal(mine.ids, expected.ids)
        assert np.array_equal(mine.starts, expected.starts)


def test_a_named_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match=r"recording\.token_cache: .*file cannot be a folder"):
        tokenised(tiny_encoder("bert"), DATA, None, cache=str(tmp_path / "file"))


def test_without_a_home_large_columns_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGE", 1)
    monkeypatch.setattr(module, "cache_folder", lambda: None)
    assert len(tokenised(tiny_encoder("bert"), DATA, None, cache="auto")) == len(DATA)


def test_a_run_learns_the_same_from_kept_tokens_and_says_what_it_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, cache = quick(steps=3), str(tmp_path / "tokens")
    expected = weights(run(recipe).encoder)
    assert capsys.readouterr().err == ""
    for words in ("tokenising 64 texts, kept for later runs", "64 texts were tokenised before"):
        found = run(recipe, recording=quiet(progress=True, token_cache=cache))
        assert same_weights(weights(found.encoder), expected)
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("large", [True, False])
def test_only_long_work_in_memory_has_a_bar(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(progress_module, "_counted", lambda texts, what: seen.append(what) or iter(texts))
    monkeypatch.setattr(module, "LARGE", len(DATA) if large else len(DATA) + 1)
    encoder = tiny_encoder("bert")
    tokenised(encoder, DATA, None, progress=True)
    assert seen == ["tokenising"] * large
    tokenised(encoder, DATA, None, progress=False)
    assert len(seen) == large
