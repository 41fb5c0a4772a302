from __future__ import annotations

import subprocess
import sys

import pytest

from tests.evaluation.known_vectors import TOY, TOY_ALL, TOY_WMEAN, KnownPoolings, KnownVectors
from twinset.evaluation import Sts, tasks


def test_a_watch_gives_scores_the_one_to_choose_by_first() -> None:
    scores = Sts(TOY)(KnownVectors())
    assert list(scores) == ["spearman", "pearson"]
    assert scores["spearman"] == pytest.approx(TOY_ALL)
    assert -1 < scores["pearson"] < 1
    assert scores["pearson"] != pytest.approx(scores["spearman"])


def test_a_watch_can_use_another_pooling_than_the_encoder() -> None:
    encoder = KnownPoolings()
    watch = Sts(TOY, pooling="cls")
    assert watch.evaluate(encoder).poolings == ("cls",)
    assert watch(encoder)["spearman"] == pytest.approx(-TOY_ALL)


def test_a_watch_can_be_compared_on() -> None:
    scores = tasks.Sts(TOY, name="dev").evaluate(KnownVectors())
    assert scores.suite == "dev"
    assert scores.task("dev").spearman.wmean == pytest.approx(TOY_WMEAN)
    assert len(scores.task("dev")) == 6


def test_scoring_needs_no_deep_learning_library() -> None:
    program = "import sys, twinset.evaluation; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
