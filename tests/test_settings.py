from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pytest

import twinset as ts
from twinset.errors import RecipeError
from twinset.objectives import InfoNCE, NTXent
from twinset.settings import check_settings
from twinset.training import Schedule, Select
from twinset.training.steps import Adversarial, Cached
from twinset.views import EmbeddingDropout

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, kw_only=True)
class Part:
    size: int = 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    word: Literal["first", "second"] = "first"
    maybe_word: Literal["first", "second"] | None = None
    share: float = 0.5
    maybe_share: float | None = None
    count: int = 2
    maybe_count: int | None = None
    flag: bool = True
    part: Part | None = None

    def __post_init__(self) -> None:
        check_settings(self)


@pytest.mark.parametrize(
    "settings",
    [
        {"word": "second", "maybe_word": "second"},
        {"maybe_word": None, "maybe_share": None, "maybe_count": None, "part": None},
        {"share": 2, "maybe_share": 0},  # a whole number is a number
        {"share": 0.25, "count": 7, "maybe_count": 7, "flag": False, "part": Part()},
    ],
    ids=str,
)
def test_what_the_annotations_say_is_accepted(settings: dict[str, object]) -> None:
    made = Settings(**settings)  # type: ignore[arg-type]
    assert {name: getattr(made, name) for name in settings} == settings


@pytest.mark.parametrize("field", ["word", "maybe_word"])
@pytest.mark.parametrize("value", ["third", "", 1, ["first"], True])
def test_a_word_is_one_of_those_there_are(field: str, value: object) -> None:
    with pytest.raises(RecipeError) as caught:
        Settings(**{field: value})  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"{field}: {value!r} is none of first, second")


@pytest.mark.parametrize("value", ["frist", "FIRST", "First"])
def test_a_word_that_is_nearly_one_is_told_which(value: str) -> None:
    with pytest.raises(RecipeError, match=rf"^word: '{value}' is none of .*; did you mean 'first'\?$"):
        Settings(word=value)  # type: ignore[arg-type]


def test_a_word_like_none_of_them_is_told_no_other() -> None:
    with pytest.raises(RecipeError, match=r"^word: 'xyz' is none of first, second$"):
        Settings(word="xyz")  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["share", "maybe_share"])
@pytest.mark.parametrize("value", ["0.5", True, [0.5], 1j])
def test_a_number_is_no_text_and_no_yes_or_no(field: str, value: object) -> None:
    with pytest.raises(RecipeError) as caught:
        Settings(**{field: value})  # type: ignore[arg-type]
    assert str(caught.value) == f"{field}: {value!r} is not a number"


@pytest.mark.parametrize("field", ["count", "maybe_count"])
@pytest.mark.parametrize("value", ["2", True, 2.0, 0.5, [2]])
def test_a_count_is_a_whole_number(field: str, value: object) -> None:
    with pytest.raises(RecipeError) as caught:
        Settings(**{field: value})  # type: ignore[arg-type]
    assert str(caught.value) == f"{field}: {value!r} is not a whole number"


@pytest.mark.parametrize("value", [1, 0, "no", 1.0])
def test_yes_or_no_is_nothing_else(value: object) -> None:
    with pytest.raises(RecipeError) as caught:
        Settings(flag=value)  # type: ignore[arg-type]
    assert str(caught.value) == f"flag: {value!r} is not True or False"


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ("word", "is none of first, second"),
        ("share", "is not a number"),
        ("count", "is not a whole number"),
        ("flag", "is not True or False"),
    ],
)
def test_nothing_stands_only_where_it_may(field: str, fault: str) -> None:
    with pytest.raises(RecipeError, match=f"^{field}: None {fault}$"):
        Settings(**{field: None})  # type: ignore[arg-type]


def test_a_class_is_not_yet_a_part() -> None:
    with pytest.raises(RecipeError, match=r"^part: Part is a class; make one: Part\(\)$"):
        Settings(part=Part)  # type: ignore[arg-type]


def test_the_first_fault_is_told_by_the_name_of_its_field() -> None:
    with pytest.raises(RecipeError, match=r"^share: "):
        Settings(count="x", share="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "settings", "fault"),
    [
        (ts.Recipe, {"training_pooling": "CLS"}, "training_pooling: 'CLS' is none of .*did you mean 'cls'"),
        (ts.Recipe, {"evaluation_pooling": "avg"}, "evaluation_pooling: 'avg' is none of cls, mean"),
        (ts.Recipe, {"precision": None}, "precision: None is none of auto, fp32, bf16"),
        (ts.Recipe, {"batch_size": 64.0}, "batch_size: 64.0 is not a whole number"),
        (ts.Recipe, {"batch_size": True}, "batch_size: True is not a whole number"),
        (ts.Recipe, {"steps": 0.5}, "steps: 0.5 is not a whole number"),
        (ts.Recipe, {"learning_rate": "1e-4"}, "learning_rate: '1e-4' is not a number"),
        (ts.Recipe, {"dropout": False}, "dropout: False is not a number"),
        (ts.Recipe, {"views": ts.views.DropoutTwice}, "views: DropoutTwice is a class; make one"),
        (ts.Recipe, {"objective": InfoNCE}, "objective: InfoNCE is a class; make one"),
        (InfoNCE, {"directions": "two"}, "directions: 'two' is none of one, both"),
        (InfoNCE, {"temperature": "0.05"}, "temperature: '0.05' is not a number"),
        (InfoNCE, {"mask_duplicates": "no"}, "mask_duplicates: 'no' is not True or False"),
        (NTXent, {"reduction": "sum"}, "reduction: 'sum' is none of mean, sum_of_directions"),
        (NTXent, {"temperature": None}, "temperature: None is not a number"),
        (Select, {"keep": "Best"}, "keep: 'Best' is none of best, last; did you mean 'best'"),
        (Select, {"every": 2.0}, "every: 2.0 is not a whole number"),
        (Select, {"pooling": "train"}, "pooling: 'train' is none of .*did you mean 'training'"),
        (Schedule, {"decay": "cos"}, "decay: 'cos' is none of .*did you mean 'cosine'"),
        (Schedule, {"warmup": "10"}, "warmup: '10' is not a number"),
        (Adversarial, {"scale": "tokens"}, "scale: 'tokens' is none of raw, token; did you mean 'token'"),
        (Adversarial, {"part": 1.0}, "part: 1.0 is not a whole number"),
        (Adversarial, {"inner": Cached}, "inner: Cached is a class; make one"),
        (EmbeddingDropout, {"count": "all"}, "count: 'all' is none of each, exact"),
        (EmbeddingDropout, {"rate": None}, "rate: None is not a number"),
    ],
)
def test_recipes_and_their_parts_check_themselves(
    make: Callable[..., object], settings: dict[str, object], fault: str
) -> None:
    make()  # as it comes it has no fault
    with pytest.raises(RecipeError, match=f"^{fault}"):
        make(**settings)
