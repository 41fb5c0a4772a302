from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from twinset.data import Pairs, read_labelled_pairs, read_pairs, read_scored_pairs, read_sentences
from twinset.errors import DataError

WANTED = Pairs(["a", "c"], ["b", "d"])


@pytest.mark.parametrize(
    "source",
    [
        [("a", "b"), ("c", "d")],
        (pair for pair in [["a", "b"], ["c", "d"]]),
        [{"sentence1": "a", "sentence2": "b"}, {"sentence2": "d", "sentence1": "c", "more": 1}],
        pa.table({"sentence2": ["b", "d"], "sentence1": ["a", "c"]}),
    ],
    ids=["tuples", "generator", "dicts", "arrow"],
)
def test_everything_in_memory(source: object) -> None:
    assert read_pairs(source) == WANTED


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"sentence1": ["a", "c"], "sentence2": ["b", "d"], "score": [1, 2.5]}, index=[7, 9]
    )
    assert read_pairs(frame) == WANTED
    assert read_scored_pairs(frame).scores.tolist() == [1.0, 2.5]
    frame["score"] = [1.0, None]
    with pytest.raises(DataError, match=r"the DataFrame given, row 2: 'score' is missing \(null\)"):
        read_scored_pairs(frame)
    frame["sentence1"] = pandas.Series(["a", 3], index=[7, 9], dtype=object)
    with pytest.raises(DataError, match="the DataFrame given, row 2: 'sentence1' mixes values of int, str"):
        read_pairs(frame)


def test_pandas_whole_numbers_kept_as_floats_are_classes() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"sentence1": ["a", "c"], "sentence2": ["b", "d"], "label": [1.0, 0.0]})
    assert read_labelled_pairs(frame).labels.tolist() == [1, 0]
    frame["label"] = [1.0, 0.5]
    with pytest.raises(DataError, match=r"row 2: 'label' is 0.5, no class; .* read_scored_pairs"):
        read_labelled_pairs(frame)


def test_hugging_face_datasets() -> None:
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        premise=datasets.Value("string"),
        hypothesis=datasets.Value("string"),
        label=datasets.ClassLabel(names=["z", "a"]),
    )
    rows = {"premise": ["a", "x", "c"], "hypothesis": ["b", "y", "d"], "label": [1, 0, 0]}
    dataset = datasets.Dataset.from_dict(rows, features=features)
    assert read_pairs(dataset.select([0, 2])) == WANTED
    data = read_labelled_pairs(dataset, labels=("z", "a"))
    assert data.labels.tolist() == [1, 0, 0]
    with pytest.raises(DataError, match=r"several splits \(train\); give one of them"):
        read_pairs(datasets.DatasetDict(train=dataset))


def test_numbers_come_through_exactly() -> None:
    values = [0.1, 2 / 3, np.float64(1 / 3), np.float32(0.5), 2]
    scores = read_scored_pairs([("a", "b", value) for value in values]).scores
    assert scores.tolist() == [0.1, 2 / 3, 1 / 3, 0.5, 2.0]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "the list given: holds nothing"),
        ([3], "item 1: is a int; texts, tuples of fields or dicts are expected"),
        (["a", 3], "item 2: 'text' is a int, not a text"),
        (["a", None], r"item 2: 'text' is missing \(null\)"),
        (["a", {"text": "b"}, {"txt": "c"}], "item 3: no field 'text'; it has 'txt'"),
        (3, "data of type int cannot be read"),
    ],
)
def test_wrong_lists_are_refused(source: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_sentences(source)


def test_items_of_unequal_width_are_refused() -> None:
    with pytest.raises(DataError, match=r"item 2: 3 fields where the first item has 2 fields \(0, 1\)"):
        read_pairs([("a", "b"), ("c", "d", "e")])
    with pytest.raises(DataError, match="item 2: 'cd' where the first item has 2 fields"):
        read_pairs([("a", "b"), "cd"])
