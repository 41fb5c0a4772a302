"""Scores: how good an encoder is, on tasks that people judged.

>>> scores = evaluate(encoder, suites.sts("data"), poolings=("cls", "mean"))  # doctest: +SKIP
>>> print(scores.table())  # doctest: +SKIP
"""

from __future__ import annotations

from twinset.evaluation import suites, tasks
from twinset.evaluation.correlations import METRICS, PROTOCOLS, Correlations, Metric, StsProtocol
from twinset.evaluation.embedding import Encodes, Pools, Progress, Roles
from twinset.evaluation.evaluate import evaluate
from twinset.evaluation.items import Averaged, Classified, Correlated, Items
from twinset.evaluation.mteb import ForMteb
from twinset.evaluation.pair_scores import PairScores
from twinset.evaluation.pairs import PairTask
from twinset.evaluation.predictions import read_predictions
from twinset.evaluation.ranking import RankingTask
from twinset.evaluation.ranking_scores import RankingScores
from twinset.evaluation.retrieval import RetrievalTask
from twinset.evaluation.runs import qrels_of, run_of, score_run
from twinset.evaluation.scores_file import read_scores, write_scores
from twinset.evaluation.sts import StsItems, StsScores, StsTask
from twinset.evaluation.suite import Suite
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.suites import SUITES, read_suite
from twinset.evaluation.task import Column, Points, Task, TaskScores
from twinset.evaluation.tasks import Pairs, Ranking, Retrieval, Sts, Transfer
from twinset.evaluation.transfer import TransferTask
from twinset.evaluation.transfer_scores import TransferScores
from twinset.evaluation.trec import read_qrels, read_run, write_qrels, write_run
from twinset.evaluation.value_scores import ValueScores

__all__ = [
    "METRICS",
    "PROTOCOLS",
    "SUITES",
    "Averaged",
    "Classified",
    "Column",
    "Correlated",
    "Correlations",
    "Encodes",
    "ForMteb",
    "Items",
    "Metric",
    "PairScores",
    "PairTask",
    "Pairs",
    "Points",
    "Pools",
    "Progress",
    "Ranking",
    "RankingScores",
    "RankingTask",
    "Retrieval",
    "RetrievalTask",
    "Roles",
    "Sts",
    "StsItems",
    "StsProtocol",
    "StsScores",
    "StsTask",
    "Suite",
    "SuiteScores",
    "Task",
    "TaskScores",
    "Transfer",
    "TransferScores",
    "TransferTask",
    "ValueScores",
    "evaluate",
    "qrels_of",
    "read_predictions",
    "read_qrels",
    "read_run",
    "read_scores",
    "read_suite",
    "run_of",
    "score_run",
    "suites",
    "tasks",
    "write_qrels",
    "write_run",
    "write_scores",
]
