from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from twinset.data import read_scored_pairs
from twinset.evaluation import StsTask, Suite
from twinset.studies.settings import ScoredOn
from twinset.studies.tested import clusters, read_scored, read_test, score, shared_pairs, whole_paths


def _pairs(folder: Path, name: str, *rows: str) -> StsTask:
    path = folder / f"{name}.csv"
    path.write_text("sentence1,sentence2,score\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return StsTask(name=name, pairs=read_scored_pairs(path))


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    one = _pairs(tmp_path, "one", "a,b,1", "c,d,2", "e,f,3")
    two = _pairs(tmp_path, "two", "b,x,1", "y,z,2", "d,c,5")
    return Suite(name="both", tasks=(one, two))


def test_items_hang_together_over_all_tasks(suite: Suite) -> None:
    found = clusters(suite)
    one, two = found["one"], found["two"]
    assert one[0] == two[0]
    assert one[1] == two[2]
    assert len(set(one.tolist()) | set(two.tolist())) == 4


def test_pairs_that_both_hold(suite: Suite, tmp_path: Path) -> None:
    dev = _pairs(tmp_path, "dev", "c,d,1", "f,e,2", "a,x,3")
    assert shared_pairs(suite, [dev.pairs.columns]) == {"one": (2, 3), "two": (1, 3)}


class Letters:
    """An encoder whose vectors anybody can work out."""

    name = "letters"

    def encode(self, texts: object) -> np.ndarray:
        return np.array([[ord(text[0]) - 90.0, 3.0] for text in texts])  # type: ignore[attr-defined]


def test_scores_and_items_are_read_back(suite: Suite, tmp_path: Path) -> None:
    score(Letters(), suite, tmp_path / "test.json")  # type: ignore[arg-type]
    found = read_scored(tmp_path / "test.json")
    assert set(found.scores) == {"one", "two"}
    assert found.average == pytest.approx(sum(found.scores.values()) / 2)
    assert len(found.items["two"]) == 3


def test_files_with_a_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "sentence1,sentence2,score,split\na,b,1,dev\nc,d,2,test\ne,f,2,test\n"
    (tmp_path / "p.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    wanted = ScoredOn(files=("p.csv",), split="test")
    assert [(task.name, len(task.pairs)) for task in read_test(wanted).tasks] == [("p", 2)]
    assert whole_paths(wanted).files == (str(tmp_path / "p.csv"),)
    assert whole_paths(ScoredOn(suite="sts", data=".")).data == str(tmp_path)
