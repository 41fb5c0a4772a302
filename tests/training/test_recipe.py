from __future__ import annotations

from dataclasses import dataclass

import pytest

from twinset.errors import RecipeError
from twinset.negatives import Queue
from twinset.objectives import InfoNCE, NTXent, Weighted, WeightedSum
from twinset.training.lagged import Lagged
from twinset.training.recipe import Recipe, described, kind_of
from twinset.training.steps import Adversarial, Cached
from twinset.types import Embedded, Loss, Needs, Reference
from twinset.views import AsGiven, FeatureCutoff, Pair, TokenShuffle, Unchanged


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


# ------------------------------------------------------------------------------------------ what fits what


def test_dropout_off_makes_dropout_twice_one_look() -> None:
    message = r"^views: both looks at a text would be the same.* Set dropout above 0 .* pair of unchanged"
    with pytest.raises(RecipeError, match=message):
        check(Recipe(dropout=0))
    check(Recipe(dropout=0.1))
    check(Recipe())  # the encoder will tell


@pytest.mark.parametrize(("own", "fine"), [((), False), ((0.0, 0.0), False), ((0.0, 0.1), True)])
def test_without_a_rate_the_encoder_s_own_tell(own: tuple[float, ...], fine: bool) -> None:
    if fine:
        Recipe().check_dropout(own)
        return
    with pytest.raises(RecipeError, match="both looks at a text would be the same"):
        Recipe().check_dropout(own)


def test_a_rate_goes_before_the_encoder_s_own() -> None:
    Recipe(dropout=0.1).check_dropout((0.0,))
    with pytest.raises(RecipeError, match="both looks at a text would be the same"):
        Recipe(dropout=0).check_dropout((0.1,))


def test_views_that_change_something_and_equal_looks_that_are_meant_need_no_dropout() -> None:
    check(Recipe(views=Pair(FeatureCutoff(), TokenShuffle()), dropout=0))
    check(Recipe(views=Pair(Unchanged(), Unchanged()), dropout=0))
    check(Recipe(views=AsGiven(), dropout=0), columns=2)


def test_the_perturbed_view_is_no_negative_of_infonce() -> None:
    with pytest.raises(RecipeError, match=r"^objective: InfoNCE takes every view after the second.*\[0, 2\]"):
        check(Recipe(step=Adversarial()))
    check(Recipe())
    said = WeightedSum(parts=tuple(Weighted(objective=InfoNCE(), views=(0, view)) for view in (1, 2)))
    check(Recipe(objective=said, step=Adversarial(attack=NTXent())))


def test_settings_of_older_weights_that_nothing_looks_at_are_refused() -> None:
    with pytest.raises(RecipeError, match=r"^lagged: nothing in this recipe looks at older weights"):
        check(Recipe(lagged=Lagged(average=0.9)))
    older = Wishes(needs=Needs(references=frozenset({Reference.LAGGED})))
    check(Recipe(objective=older, lagged=Lagged(average=0.9)))
    learned = Wishes(needs=Needs())
    check(Recipe(objective=learned, step=Adversarial(attack=older), lagged=Lagged(average=0.9)))


def test_a_queue_that_nothing_looks_at_is_refused() -> None:
    with pytest.raises(RecipeError, match=r"^memory: NTXent does not look at earlier batches; leave memory"):
        check(Recipe(objective=NTXent(), memory=Queue()))
    one, both = (
        WeightedSum(parts=tuple(Weighted(objective=each) for each in objectives))
        for objectives in ((NTXent(),), (NTXent(), InfoNCE()))
    )
    with pytest.raises(RecipeError, match="memory: WeightedSum does not look"):
        check(Recipe(objective=one, memory=Queue()))
    check(Recipe(objective=both, memory=Queue()))
    check(Recipe(memory=Queue()))


@pytest.mark.parametrize("view", [-1, 2])
def test_a_queue_keeps_a_view_that_there_is(view: int) -> None:
    check(Recipe(memory=Queue(view=1)))
    with pytest.raises(RecipeError, match=rf"^memory\.view: {view}, but there are 2 views"):
        check(Recipe(memory=Queue(view=view)))


def test_an_attacked_part_is_asked_for_its_own_needs() -> None:
    parts = (Weighted(objective=NTXent(), views=(0, 1)), Weighted(objective=NTXent(), views=(0, 2)))
    check(Recipe(objective=WeightedSum(parts=parts), step=Adversarial(part=0)))
    with pytest.raises(RecipeError, match=r"^step\.part: .* needs 3 views, but DropoutTwice makes 2"):
        check(Recipe(objective=WeightedSum(parts=parts), step=Adversarial(part=1)))
