from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from twinset.data import read_labelled_pairs, read_scored_pairs, read_sentences
from twinset.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


def test_objects_with_numbers_and_other_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 1, "sentence2": "b", "sentence1": "a\\n\u00e9", "score": 0.1}\n\n'
        '{"sentence1": "c", "sentence2": "d", "score": "3"}\n'
    )
    data = read_scored_pairs(path)
    assert list(data.first) == ["a\n\u00e9", "c"]
    assert data.scores.tolist() == [0.1, 3.0]
    assert data.notes == (f"{path}: 1 blank lines left out (the first: line 2)",)


def test_labels_may_be_truth_values(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_text(
        '{"question1": "a", "question2": "b", "is_duplicate": true}\n'
        '{"question1": "c", "question2": "d", "is_duplicate": false}\n'
    )
    data = read_labelled_pairs(path)
    assert data.label_names == ("false", "true")
    assert data.labels.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("{'text': 1}", "line 2: is no JSON .* at column 2"),
        ('{"text": "a"', "line 2: is no JSON"),
        ('["a"]', "line 2: is a JSON list, not an object with named fields"),
        ('{"txt": "a"}', "line 2: no field 'text'; it has 'txt'"),
        ('{"text": 5}', "line 2: 'text' is a int, not a text: 5"),
        ('{"text": null}', r"line 2: 'text' is missing \(null\)"),
        ('{"text": "\\ud800"}', "line 2: 'text' holds half a character"),
        ('{"text": "a\\u0000"}', "line 2: 'text' holds a NUL byte"),
        ("[" * 100_000, "line 2: is (no JSON|nested too deeply)"),
    ],
)
def test_broken_lines_are_refused(tmp_path: Path, second: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "fine"}\n' + second + "\n")
    with pytest.raises(DataError, match=f"a.jsonl, {message}"):
        read_sentences(path)


def test_only_blank_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\n \n")
    with pytest.raises(DataError, match="only blank lines"):
        read_sentences(tmp_path / "a.jsonl")
