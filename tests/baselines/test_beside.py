from __future__ import annotations

import numpy as np
import pytest

from tests.baselines.stand_in import Table
from twinset.baselines import beside, texts_of
from twinset.data import read_scored_pairs
from twinset.evaluation import StsTask, Suite

PAIRS = read_scored_pairs([("0", "1", 2.0), ("0", "2", 1.0), ("0", "3", 0.0)])
SUITE = Suite(name="own", tasks=(StsTask(name="one", pairs=PAIRS),))


def _system(name: str, *angles: float) -> Table:
    """Text 0 at angle 0, the others where they are put."""
    turned = np.array([0.0, *angles])
    return Table(np.stack([np.cos(turned), np.sin(turned)], axis=1), name=name)


GOOD, FAIR, BAD = (
    _system("good", 0.1, 0.2, 0.3),
    _system("fair", 0.1, 0.3, 0.2),
    _system("bad", 0.3, 0.2, 0.1),
)


def test_everybody_is_scored_and_the_best_is_found() -> None:
    found = beside(GOOD, [BAD, FAIR], SUITE)
    assert found.encoder.headline == pytest.approx(1)
    assert [scores.headline for scores in found.baselines] == pytest.approx([-1, 0.5])
    assert found.best.encoder == "fair"
    assert found.gain == pytest.approx(0.5)


def test_a_table_with_a_row_each() -> None:
    lines = beside(GOOD, [BAD, FAIR], SUITE).table().splitlines()
    assert lines[1].split() == ["system", "one"]
    assert [line.split() for line in lines[2:5]] == [
        ["bad", "-100.00"],
        ["fair", "50.00"],
        ["good", "100.00"],
    ]
    assert lines[5] == "good over the best of them, fair: +50.00 (one measurement; no interval)"


def test_several_tasks_are_averaged() -> None:
    turned = read_scored_pairs([("0", "1", 0.0), ("0", "2", 1.0), ("0", "3", 2.0)])
    suite = Suite(name="own", tasks=(*SUITE.tasks, StsTask(name="two", pairs=turned)))
    found = beside(GOOD, [FAIR], suite)
    assert found.table().splitlines()[1].split() == ["system", "one", "two", "Avg"]
    assert found.table().splitlines()[3].split() == ["good", "100.00", "-100.00", "0.00"]
    told = found.to_json()
    assert told["encoder"] == {"name": "good", "tasks": pytest.approx({"one": 1, "two": -1}), "average": 0}
    fair = {"name": "fair", "tasks": pytest.approx({"one": 0.5, "two": -0.5}), "average": 0}
    assert told["baselines"] == [fair]
    assert (told["suite"], told["best"], told["gain"]) == ("own", "fair", 0)


def test_the_texts_of_a_suite() -> None:
    assert list(texts_of(SUITE)) == ["0", "1", "2", "3"]
