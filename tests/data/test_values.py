from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest

from twinset.data import LabelledPairs, ScoredPairs, read_labelled_pairs, read_scored_pairs, read_sentences
from twinset.errors import DataError


def scored(values: object) -> ScoredPairs:
    return read_scored_pairs(pa.table({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "score": values}))


def labelled(values: object, **arguments: Sequence[str] | None) -> LabelledPairs:
    table = pa.table({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "label": values})
    return read_labelled_pairs(table, **arguments)


def test_numbers_written_as_texts() -> None:
    assert scored([" 1.5", "2e-1"]).scores.tolist() == [1.5, 0.2]
    assert scored([1, 5]).scores.tolist() == [1.0, 5.0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["1", "high"], "row 2: 'score' is 'high', not a number; correct it"),
        (["1", ""], "row 2: 'score' is '', not a number"),
        (["1", "4,5"], "not a number .the decimal sign is a point"),
        (["1", "1_0"], "row 2: 'score' is '1_0', not a number"),
        ([1.0, float("nan")], "row 2: 'score' is nan, not a finite number"),
        (["inf", "1"], "row 1: 'score' is inf, not a finite number"),
        ([1.0, None], r"row 2: 'score' is missing \(null\)"),
        ([[1.0], [2.0]], "'score' holds list.*, not numbers"),
    ],
)
def test_scores_that_will_not_do(values: object, message: str) -> None:
    with pytest.raises(DataError, match=f"the table given.*{message}"):
        scored(values)


def test_labels_by_name_code_and_order_given() -> None:
    assert labelled(["yes", "no"]).label_names == ("no", "yes")
    assert labelled([1, 1]).label_names == ("0", "1")
    assert labelled([1, 1]).labels.tolist() == [1, 1]
    data = labelled([" yes", "no"], labels=("yes", "no"))
    assert data.labels.tolist() == [0, 1]
    assert data.label_names == ("yes", "no")


@pytest.mark.parametrize(
    ("values", "labels", "message"),
    [
        (
            ["entailment", "entailmnt"],
            ("contradiction", "entailment"),
            r"row 2: .*'entailmnt'.*did you mean 'entailment'\?",
        ),
        (
            ["1", "5"],
            ("0", "1"),
            r"row 2: 'label' is '5', none of the labels \('0', '1'\); correct it, or name all",
        ),
        (["1", ""], None, "row 2: 'label' is '', none of the labels"),
        (["1", None], None, r"row 2: 'label' is missing \(null\)"),
    ],
)
def test_labels_that_will_not_do(values: object, labels: tuple[str, ...] | None, message: str) -> None:
    with pytest.raises(DataError, match=message):
        labelled(values, labels=labels)


def test_rows_are_filtered_regardless_of_case() -> None:
    table = pa.table({"text": ["a", "b", "c"], "split": ["TRAIN", "dev", "test"], "subset": ["x", "y", "z"]})
    data = read_sentences(table, where={"split": ("train", "test")})
    assert list(data.texts) == ["a", "c"]
    assert list(data.groups) == ["x", "z"]
    assert list(read_sentences(table, where={"split": "test"}, limit=1).texts) == ["c"]
    with pytest.raises(
        DataError, match="no row has 'split' = tset; it takes the values 'TRAIN', 'dev', 'test'"
    ):
        read_sentences(table, where={"split": "tset"})
    with pytest.raises(DataError, match=r"no column 'splt'; .* Did you mean 'split'\?"):
        read_sentences(table, where={"splt": "dev"})
