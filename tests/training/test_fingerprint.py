from __future__ import annotations

import numpy as np
import pytest

from tests.encoder.tiny import tiny_encoder
from tests.training.runs import TEXTS, quick
from twinset.data import LabelledPairs, ScoredPairs
from twinset.data.dataset import Dataset
from twinset.encoder import Encoder
from twinset.training import Recipe
from twinset.training.corpus import tokenised
from twinset.training.fingerprint import fingerprint, hashes
from twinset.training.learner import Learner


def scored(last: float = 0.5, text: str = "x") -> ScoredPairs:
    scores = np.array([0.1, last])
    return ScoredPairs(TEXTS[:2], [TEXTS[2], text], scores=scores)


def found(
    encoder: Encoder | None = None,
    data: Dataset | None = None,
    recipe: Recipe | None = None,
    seed: int = 0,
) -> dict[str, str]:
    encoder, recipe = encoder or tiny_encoder("bert"), recipe or quick()
    corpus = tokenised(encoder, data or scored(), recipe.max_length)
    return fingerprint(Learner(encoder, corpus, recipe, seed, "fp32"), recipe, seed)


def differing(other: dict[str, str]) -> list[str]:
    return [name for name, value in found().items() if other[name] != value]


def test_the_same_run_has_the_same_fingerprint() -> None:
    assert sorted(found()) == ["data", "encoder", "recipe", "seed"]
    assert differing(found()) == []


def test_each_part_is_named_by_itself() -> None:
    assert differing(found(seed=1)) == ["seed"]
    assert differing(found(recipe=quick(clip=2.0))) == ["recipe"]
    assert differing(found(tiny_encoder("bert", seed=1))) == ["encoder"]
    assert differing(found(tiny_encoder("bert", pooling="cls"))) == ["encoder"]
    assert differing(found(data=scored(text="y"))) == ["data"]


def test_scores_and_labels_are_data() -> None:
    assert differing(found(data=scored(last=0.25))) == ["data"]
    pairs = [LabelledPairs(TEXTS[:2], TEXTS[2:4], labels=np.array([0, last])) for last in (0, 1)]
    first, second = (found(data=each)["data"] for each in pairs)
    assert first != second


def test_texts_that_differ_after_the_cut_are_other_data() -> None:
    recipe = quick(max_length=3)
    ends = [found(data=scored(text=f"{TEXTS[2]}{end}"), recipe=recipe)["data"] for end in ("", " again")]
    assert ends[0] != ends[1]


@pytest.mark.parametrize("value", [np.zeros(0), np.float64(1.5), np.arange(6).reshape(2, 3).T, b"bytes"])
def test_any_piece_can_be_hashed(value: np.ndarray | bytes) -> None:
    assert hashes({"a": [value]}) == hashes({"a": [value]})
