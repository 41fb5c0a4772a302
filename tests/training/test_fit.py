from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.encoder.graphs import opened
from tests.encoder.tiny import tiny_encoder
from tests.training.runs import DATA, TEXTS, quick, run, same_weights, watch, weights
from tests.training.test_recipe import Wishes
from twinset import data, recipes
from twinset.data import LabelledPairs, LabelledSentences, Pairs, ScoredPairs, Sentences, Triples
from twinset.encoder import Encoder
from twinset.errors import DataError, RecipeError, RequestError
from twinset.objectives import InfoNCE, NTXent, Weighted, WeightedSum
from twinset.training import Recipe, train
from twinset.training.fit import check_arguments, check_fit
from twinset.training.steps import Adversarial
from twinset.types import Needs
from twinset.views import AsGiven

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twinset.data import Dataset

AS_GIVEN = Recipe(views=AsGiven())
PAIRS = Pairs(["a", "b"], ["c", "d"])
LABELLED = LabelledPairs(["a", "b"], ["c", "d"], [0, 1])
SCORED = ScoredPairs(["a", "b"], ["c", "d"], [1.0, 0.0])
FACTS = pytest.mark.parametrize(("name", "rows"), [("labels", LABELLED), ("scores", SCORED)])


def attacking(attack: Wishes) -> Recipe:
    """Learns from two views of the pairs, and attacks something else."""
    learned = WeightedSum(parts=(Weighted(objective=NTXent(), views=(0, 1)),))
    return replace(AS_GIVEN, objective=learned, step=Adversarial(attack=attack))


# ---------------------------------------------------------------------------------------- what train is given


def a_list(_folder: Path) -> Iterable[str]:
    return TEXTS


def texts_one_by_one(_folder: Path) -> Iterable[str]:
    return (text for text in TEXTS)


def a_file(folder: Path) -> Path:
    path = folder / "texts.txt"
    path.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    return path


def the_name_of_a_file(folder: Path) -> str:
    return str(a_file(folder))


@pytest.mark.parametrize("given", [a_list, texts_one_by_one, a_file, the_name_of_a_file])
def test_texts_and_files_are_learned_from_as_sentences(given, tmp_path: Path) -> None:  # noqa: ANN001
    found = run(quick(steps=2), data=given(tmp_path))
    assert same_weights(weights(found.encoder), weights(run(quick(steps=2), data=DATA).encoder))


def test_data_that_was_read_is_taken_as_it_is() -> None:
    for rows in (DATA, PAIRS, LABELLED, SCORED):
        assert check_arguments(tiny_encoder("bert"), rows, Recipe(), None) is rows


def test_a_text_is_taken_for_a_file_s_name() -> None:
    with pytest.raises(DataError, match="a cat sat on the mat: no such file"):
        run(data="a cat sat on the mat")


def test_what_holds_no_texts_is_told() -> None:
    with pytest.raises(DataError, match="data of type int cannot be read; give a path, a list of texts"):
        run(data=7)
    with pytest.raises(DataError, match="holds nothing"):
        run(data=[])
    with pytest.raises(RequestError, match="1 row"):
        run(data=["alone"])


@pytest.mark.parametrize("encoder", ["mini", None, Encoder], ids=str)
def test_what_is_no_encoder_is_told_with_how_to_make_one(encoder: object) -> None:
    with pytest.raises(
        RequestError, match=r"^encoder: .* is no Encoder; Encoder\.from_pretrained\(\.\.\.\) makes"
    ):
        train(encoder, TEXTS)  # type: ignore[arg-type]


def test_a_graph_cannot_be_trained() -> None:
    with pytest.raises(RequestError, match=r"as a graph \(onnx\).* cannot be trained; open the model with"):
        train(opened("onnx"), TEXTS)


@pytest.mark.parametrize(
    "recipe",
    ["simcse", recipes.simcse, Recipe, {"epochs": 1}],
    ids=["word", "function", "class", "dictionary"],
)
def test_what_is_no_recipe_is_told_with_one(recipe: object) -> None:
    with pytest.raises(RequestError, match=r"^recipe: .* is no Recipe; recipes\.simcse\(\), say, gives one"):
        train(tiny_encoder("bert"), TEXTS, recipe)  # type: ignore[arg-type]


def test_a_watch_can_be_called_and_pairs_cannot() -> None:
    with pytest.raises(
        RequestError, match=r"^dev: ScoredPairs cannot be called .* tasks\.Sts\(pairs\), say, can"
    ):
        run(dev=SCORED)
    assert check_arguments(tiny_encoder("bert"), DATA, Recipe(), watch) is DATA


def test_what_cannot_be_leaves_no_folder(tmp_path: Path) -> None:
    for wrong in ({"dev": SCORED}, {"data": SCORED}, {"data": PAIRS}):
        with pytest.raises(RequestError):
            run(out=tmp_path / "a", **wrong)
        assert not (tmp_path / "a").exists()


# --------------------------------------------------------------------------------- what the data say of a row


@FACTS
def test_facts_that_nothing_learns_from_are_refused(name: str, rows: Dataset) -> None:
    other = {"labels": "scores", "scores": "labels"}[name]
    for recipe in (AS_GIVEN, replace(AS_GIVEN, objective=Wishes(needs=Needs(**{other: True})))):
        with pytest.raises(RequestError, match=rf"^data: its rows have {name}, and nothing .* learns from"):
            check_fit(rows, recipe)


@FACTS
def test_facts_that_the_objective_learns_from_are_fine(name: str, rows: Dataset) -> None:
    check_fit(rows, replace(AS_GIVEN, objective=Wishes(needs=Needs(**{name: True}))))


@FACTS
def test_facts_that_the_step_s_attack_learns_from_are_fine(name: str, rows: Dataset) -> None:
    check_fit(rows, attacking(Wishes(needs=Needs(**{name: True}))))
    with pytest.raises(RequestError, match=f"its rows have {name}"):
        check_fit(rows, attacking(Wishes(needs=Needs())))


def test_a_class_of_single_texts_may_be_left_aside() -> None:
    check_fit(LabelledSentences(["a", "b"], [0, 1]), Recipe())


@pytest.mark.parametrize("name", ["labels", "scores"])
def test_facts_that_are_wished_for_and_not_there_are_told(name: str) -> None:
    with pytest.raises(RecipeError, match=f"Wishes needs {name}; the data has none"):
        check_fit(PAIRS, replace(AS_GIVEN, objective=Wishes(needs=Needs(**{name: True}))))


# --------------------------------------------------------------------------------------------- how many views


def test_two_looks_at_each_of_two_columns_are_refused() -> None:
    for objective in (InfoNCE(), Wishes(needs=Needs())):
        with pytest.raises(RecipeError, match=r"^views: two looks at each of 2 columns; .* 'as_given'"):
            check_fit(PAIRS, Recipe(objective=objective))  # type: ignore[arg-type]
    with pytest.raises(RecipeError, match="two looks at each of 3 columns"):
        check_fit(Triples(["a", "b"], ["c", "d"], ["e", "f"]), Recipe())


def test_a_sum_says_which_looks_at_two_columns_meet() -> None:
    said = tuple(Weighted(objective=InfoNCE(), views=views) for views in ((0, 2), (1, 3)))
    check_fit(PAIRS, Recipe(objective=WeightedSum(parts=said)))


def test_one_look_at_each_column_and_two_at_one_are_fine() -> None:
    check_fit(PAIRS, AS_GIVEN)
    check_fit(Triples(["a", "b"], ["c", "d"], ["e", "f"]), AS_GIVEN)
    check_fit(Sentences(["a", "b"]), Recipe())


def test_one_look_at_single_texts_is_too_few() -> None:
    with pytest.raises(RecipeError, match="InfoNCE needs 2 views"):
        check_fit(Sentences(["a", "b"]), AS_GIVEN)


def test_columns_read_as_sentences_are_no_columns_any_more(tmp_path: Path) -> None:
    """What the refusals advise is a way out."""
    path = tmp_path / "scored.csv"
    path.write_text("sentence1,sentence2,score\na cat,a dog,3\nrain,snow,1\n", encoding="utf-8")
    with pytest.raises(RequestError, match="its rows have scores"):
        run(data=data.read_scored_pairs(path))
    check_fit(data.read_sentences(path, columns="sentence1"), Recipe())
