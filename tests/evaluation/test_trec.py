from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from twinset.errors import DataError, RequestError, WorkError
from twinset.evaluation.trec import read_qrels, read_run, write_qrels, write_run

RUN = {"q1": {"d1": 0.5, "d3": 0.25, "d2": 0.75}, "q2": {"d1": -1.0}}
QRELS = {"q1": {"d1": 1.0, "d2": 0.0}, "q2": {"d9": 2.0}}


def test_a_run_is_written_in_order_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.txt"
    write_run(RUN, path, tag="mine")
    assert path.read_text().splitlines()[:2] == ["q1 Q0 d2 1 0.75 mine", "q1 Q0 d1 2 0.5 mine"]
    assert read_run(path) == RUN
    assert [entry.name for entry in path.parent.iterdir()] == ["run.txt"]


def test_judgements_are_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    write_qrels(QRELS, path)
    assert path.read_text().splitlines() == ["q1 0 d1 1", "q1 0 d2 0", "q2 0 d9 2"]
    assert read_qrels(path) == QRELS


def test_what_others_write_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"q1\tQ0\td1\t7\t1e-3\tbm25\n\nq1 Q0 d2 1  12 bm25 \n"))
    assert read_run(path) == {"q1": {"d1": 0.001, "d2": 12.0}}


def test_the_scores_keep_every_digit(tmp_path: Path) -> None:
    run = {"q": {"d": 0.1 + 0.2}}
    write_run(run, tmp_path / "run")
    assert read_run(tmp_path / "run") == run


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1 Q0 d1 1 0.5\n", "line 1: 5 fields where 6 are expected: query Q0 document rank score tag"),
        ("q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2 high x\n", "line 2: 'high' is not a number"),
        ("q1 Q0 d1 1 nan x\n", "line 1: nan is not a finite number"),
        ("q1 Q0 d1 1 1_0 x\n", "line 1: '1_0' is not a number"),
        ("q1 Q0 d1 1 2 x\nq1 Q0 d1 2 1 x\n", "line 2: document 'd1' of query 'q1' stands there twice"),
        ("\n\n", "there are only blank lines in it"),
    ],
)
def test_a_broken_run_is_named_with_its_line(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.run"
    path.write_text(content)
    with pytest.raises(DataError, match=message) as caught:
        read_run(path)
    assert str(path) in str(caught.value)


def test_broken_qrels_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("q1 0 d1 1 extra\n")
    with pytest.raises(DataError, match="line 1: 5 fields where 4 are expected: query 0 document relevance"):
        read_qrels(path)
    with pytest.raises(DataError, match="no such file"):
        read_qrels(tmp_path / "nowhere")


def test_what_a_run_cannot_hold(tmp_path: Path) -> None:
    for bad in ({"a b": {"d": 1.0}}, {"q": {"": 1.0}}):
        with pytest.raises(RequestError, match="no room for blanks or empty ids"):
            write_run(bad, tmp_path / "run")
    with pytest.raises(RequestError, match="tag 'my run': a run's name is one word"):
        write_run(RUN, tmp_path / "run", tag="my run")
    (tmp_path / "folder").mkdir()
    with pytest.raises(WorkError, match="could not be written"):
        write_run(RUN, tmp_path / "folder")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
