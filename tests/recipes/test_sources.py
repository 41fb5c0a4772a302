from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from twinset import recipes
from twinset.data import LabelledPairs, Pairs, ScoredPairs, Sentences, Triples
from twinset.errors import DataError, RecipeError, RequestError
from twinset.negatives import Queue
from twinset.objectives import InfoNCE, Weighted, WeightedSum
from twinset.recipes import TrainingData
from twinset.recipes.sources import check_fit, training_data, watch
from twinset.training.steps import Adversarial
from twinset.views import AsGiven


def _csv(folder: Path, header: str, *rows: str) -> str:
    path = folder / "data.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("header", "row", "kind"),
    [
        ("text", "one", Sentences),
        ("text,label", "one,a", Sentences),
        ("question,answer", "one,two", Pairs),
        ("sentence1,sentence2,score", "one,two,3", ScoredPairs),
        ("premise,hypothesis,label", "one,two,neutral", LabelledPairs),
        ("anchor,positive,negative", "one,two,three", Triples),
    ],
)
def test_the_kind_is_seen_in_the_columns(tmp_path: Path, header: str, row: str, kind: type) -> None:
    assert type(training_data(TrainingData(train=_csv(tmp_path, header, row, row)))) is kind


def test_several_columns_as_sentences(tmp_path: Path) -> None:
    train = _csv(tmp_path, "sentence1,sentence2,score", "one,two,3", "three,four,1")
    settings = TrainingData(train=train, kind="sentences", columns=("sentence1", "sentence2"))
    assert list(training_data(settings).columns[0]) == ["one", "three", "two", "four"]


def test_one_named_column_is_sentences(tmp_path: Path) -> None:
    train = _csv(tmp_path, "id,body", "7,one", "8,two")
    assert list(training_data(TrainingData(train=train, columns=("body",))).columns[0]) == ["one", "two"]


def test_split_limit_and_roles(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    rows = [{"a": str(number), "b": "x", "split": "train" if number % 2 else "dev"} for number in range(8)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = TrainingData(
        train=str(path), kind="pairs", columns=("a", "b"), roles=("query", ""), split="train", limit=3
    )
    read = training_data(settings)
    assert list(read.columns[0]) == ["1", "3", "5"]
    assert read.roles == ("query", None)


def test_two_columns_want_a_kind(tmp_path: Path) -> None:
    train = _csv(tmp_path, "x,y", "one,two")
    with pytest.raises(RecipeError, match=r"data\.kind: say what the columns named are"):
        training_data(TrainingData(train=train, columns=("x", "y")))


def test_ranked_lists_are_not_learned_from(tmp_path: Path) -> None:
    train = _csv(tmp_path, "query,document,relevance", "one,two,1")
    with pytest.raises(RecipeError, match="looks like ranked lists"):
        training_data(TrainingData(train=train))


def test_watch_on_a_file_and_on_a_folder(tmp_path: Path) -> None:
    table = pa.table(
        {"sentence1": ["a", "b"], "sentence2": ["c", "d"], "score": [1.0, 2.0], "split": ["dev", "test"]}
    )
    (tmp_path / "sts_en").mkdir()
    path = tmp_path / "sts_en" / "stsb.parquet"
    pq.write_table(table, path)
    assert watch(TrainingData(train="x")) is None
    whole = watch(TrainingData(train="x", dev=str(path)))
    part = watch(TrainingData(train="x", dev=str(path), dev_split="validation"))
    folder = watch(TrainingData(train="x", dev=str(tmp_path)))
    assert whole is not None
    assert part is not None
    assert folder is not None
    assert [len(each.pairs) for each in (whole, part, folder)] == [2, 1, 1]
    assert (whole.name, folder.name) == ("stsb", "STS-B dev")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="sts_en/stsb"):
        watch(TrainingData(train="x", dev=str(tmp_path / "empty")))


PAIRS = Pairs(["a", "b"], ["c", "d"])
SCORED = ScoredPairs(["a", "b"], ["c", "d"], [1.0, 0.0])


def test_what_fits() -> None:
    check_fit(Sentences(["a", "b"]), recipes.simcse())
    check_fit(PAIRS, replace(recipes.simcse(), views=AsGiven()))
    both = WeightedSum(parts=(Weighted(objective=InfoNCE(), views=(0, 1)),))
    check_fit(PAIRS, replace(recipes.simcse(), objective=both))


def test_views_by_number_are_there() -> None:
    step = Adversarial(attack=InfoNCE(), of=2)
    with pytest.raises(RecipeError, match=r"recipe\.step\.of: 2, but there are 2 views"):
        check_fit(Sentences(["a", "b"]), replace(recipes.simcse(), step=step))
    with pytest.raises(RecipeError, match=r"recipe\.memory\.view: 2, but there are 2 views"):
        check_fit(Sentences(["a", "b"]), replace(recipes.simcse(), memory=Queue(view=2)))


def test_two_looks_at_pairs_are_refused() -> None:
    with pytest.raises(RecipeError, match=r"recipe\.views: two looks at each of 2 columns"):
        check_fit(PAIRS, recipes.simcse())


def test_scores_that_nothing_learns_from_are_refused() -> None:
    with pytest.raises(
        RequestError, match="its rows have scores, and nothing in this recipe learns from them"
    ):
        check_fit(SCORED, replace(recipes.simcse(), views=AsGiven()))
