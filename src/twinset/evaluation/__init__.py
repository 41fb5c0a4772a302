"""Scores: how good an encoder is, on tasks that people judged.

>>> scores = evaluate(encoder, suites.sts("data"), poolings=("cls", "mean"))  # doctest: +SKIP
>>> print(scores.table())  # doctest: +SKIP
"""

from __future__ import annotations

from twinset.evaluation import suites, tasks
from twinset.evaluation.correlations import METRICS, PROTOCOLS, Correlations, Metric, StsProtocol
from twinset.evaluation.embedding import Encodes, Pools, Progress
from twinset.evaluation.evaluate import evaluate
from twinset.evaluation.scores_file import read_scores, write_scores
from twinset.evaluation.sts import StsItems, StsScores, StsTask
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.suites import SUITES, Suite, read_suite
from twinset.evaluation.tasks import Sts

__all__ = [
    "METRICS",
    "PROTOCOLS",
    "SUITES",
    "Correlations",
    "Encodes",
    "Metric",
    "Pools",
    "Progress",
    "Sts",
    "StsItems",
    "StsProtocol",
    "StsScores",
    "StsTask",
    "Suite",
    "SuiteScores",
    "evaluate",
    "read_scores",
    "read_suite",
    "suites",
    "tasks",
    "write_scores",
]
