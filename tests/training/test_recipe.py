from __future__ import annotations

from dataclasses import dataclass

import pytest

from twinset.errors import RecipeError
from twinset.negatives import Queue
from twinset.objectives import InfoNCE, NTXent, Weighted, WeightedSum
from twinset.training.recipe import Recipe, described, kind_of
from twinset.training.steps import Adversarial, Cached
from twinset.types import Embedded, Loss, Needs, Reference
from twinset.views import AsGiven, FeatureCutoff, Pair, TokenShuffle


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """An objective that asks for things."""

    needs: Needs

    def __call__(self, batch: Embedded) -> Loss:
        raise NotImplementedError


def check(recipe: Recipe, *, columns: int = 1, labels: bool = False, scores: bool = False) -> None:
    recipe.check(columns=columns, labels=labels, scores=scores)


def wishing(**settings: object) -> Recipe:
    return Recipe(objective=Wishes(needs=Needs(**settings)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("batch_size", 1),
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("epochs", 0),
        ("dropout", 1.0),
        ("dropout", -0.1),
        ("clip", 0.0),
        ("steps", 0),
        ("max_length", 0),
        ("chunk_tokens", 0),
    ],
)
def test_an_impossible_setting_is_named(field: str, value: float) -> None:
    with pytest.raises(RecipeError, match=rf"^{field}: "):
        Recipe(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "batches", "expected"),
    [
        ({"epochs": 2}, 10, 20),
        ({"epochs": 0.25}, 10, 2),
        ({"epochs": 0.01}, 10, 1),
        ({"epochs": 3, "steps": 7}, 10, 7),
    ],
)
def test_updates(settings: dict[str, float], batches: int, expected: int) -> None:
    assert Recipe(**settings).updates(batches) == expected  # type: ignore[arg-type]


def test_too_few_views_are_told_with_the_way_out() -> None:
    check(Recipe(views=AsGiven()), columns=2)
    message = r"InfoNCE needs 2 views, but AsGiven makes 1 of data with 1 column.*'dropout_twice' or 'pair'"
    with pytest.raises(RecipeError, match=message):
        check(Recipe(views=AsGiven()))


def test_the_adversarial_view_counts_for_the_objective_and_not_for_its_attack() -> None:
    three = Wishes(needs=Needs(views=3))
    check(Recipe(objective=three, step=Adversarial(attack=NTXent())))
    with pytest.raises(RecipeError, match=r"step\.attack: Wishes needs 3 views"):
        check(Recipe(step=Adversarial(attack=three)))


@pytest.mark.parametrize("name", ["labels", "scores"])
def test_facts_that_the_data_lacks_are_told(name: str) -> None:
    check(wishing(**{name: True}), **{name: True})
    with pytest.raises(RecipeError, match=f"objective: Wishes needs {name}; the data has none"):
        check(wishing(**{name: True}))
    attack = Recipe(step=Adversarial(attack=Wishes(needs=Needs(**{name: True}))))  # type: ignore[arg-type]
    with pytest.raises(RecipeError, match=rf"step\.attack: Wishes needs {name}"):
        check(attack)


def test_views_that_do_not_exist_are_told() -> None:
    with pytest.raises(RecipeError, match=r"step\.of: 2, but there are 2 views"):
        check(Recipe(step=Adversarial(attack=NTXent(), of=2)))
    with pytest.raises(RecipeError, match=r"memory\.view: 2, but there are 2 views"):
        check(Recipe(memory=Queue(view=2)))
    met = WeightedSum(parts=tuple(Weighted(objective=InfoNCE(), views=(0, view)) for view in (1, 2)))
    check(Recipe(objective=met, memory=Queue(view=2), step=Adversarial(attack=NTXent())))


def test_references_of_objective_and_attack_are_joined() -> None:
    assert Recipe().references == frozenset()
    recipe = Recipe(
        objective=Wishes(needs=Needs(references=frozenset({Reference.LAGGED}))),
        step=Adversarial(attack=Wishes(needs=Needs(references=frozenset({Reference.INITIAL})))),
    )
    assert recipe.references == {Reference.LAGGED, Reference.INITIAL}


def test_described_names_every_part_by_its_file() -> None:
    recipe = Recipe(views=Pair(FeatureCutoff(rate=0.3), TokenShuffle()), step=Cached(), memory=Queue())
    found = described(recipe)
    assert found["kind"] == "recipe"
    assert found["objective"] == {
        "kind": "infonce",
        "temperature": 0.05,
        "directions": "one",
        "mask_duplicates": True,
    }
    assert found["views"] == {
        "kind": "pair",
        "first": {"kind": "feature_cutoff", "rate": 0.3},
        "second": {"kind": "token_shuffle"},
    }
    assert found["step"] == {"kind": "cached"}
    assert found["optimizer"]["betas"] == [0.9, 0.999]
    assert found["memory"]["batches"] == 2.5
    assert kind_of(InfoNCE) == "infonce"
