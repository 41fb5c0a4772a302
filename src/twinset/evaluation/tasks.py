"""What an encoder can be watched on while it trains and compared on afterwards.

Each is called with an encoder and gives scores by name (higher is better, the first being the one to choose
by); `evaluate` gives the same item by item, as a comparison needs it. pooling: None for the encoder's own;
some papers choose checkpoints under another pooling than they report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twinset.data.collection import Collection
from twinset.data.pairs import LabelledPairs, ScoredPairs
from twinset.data.ranked import RankedLists
from twinset.data.sentences import LabelledSentences
from twinset.evaluation.embedding import Encodes
from twinset.evaluation.evaluate import evaluate
from twinset.evaluation.metrics import Unjudged
from twinset.evaluation.pairs import PairTask, ThresholdFrom
from twinset.evaluation.ranking import RankingTask
from twinset.evaluation.retrieval import RetrievalTask
from twinset.evaluation.sts import StsTask
from twinset.evaluation.suite import Suite
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.task import Task
from twinset.evaluation.transfer import TransferTask

if TYPE_CHECKING:
    # Not when the program runs: torch is not needed to evaluate a baseline.
    from twinset.encoder.pooling import Pooling  # noqa: TC004


@dataclass(frozen=True)
class Sts:
    """How well cosines follow the scores of pairs: {"spearman": ..., "pearson": ...} over all pairs."""

    pairs: ScoredPairs
    name: str = "sts"
    pooling: Pooling | None = None

    def __call__(self, encoder: Encodes) -> dict[str, float]:
        scores = self.evaluate(encoder)
        return {"spearman": scores.headline, "pearson": scores.average(metric="pearson")}

    def evaluate(self, encoder: Encodes) -> SuiteScores:
        """Score with subsets and items."""
        return _alone(StsTask(name=self.name, pairs=self.pairs), encoder, self.pooling)


@dataclass(frozen=True)
class Pairs:
    """Whether cosines tell which pairs belong together: F1 with a threshold chosen on `dev`, else average
    precision (`PairTask`)."""

    pairs: LabelledPairs
    dev: LabelledPairs | None = None
    name: str = "pairs"
    pooling: Pooling | None = None
    positive: str | None = None
    threshold: ThresholdFrom = "dev"

    def __call__(self, encoder: Encodes) -> dict[str, float]:
        return _headline_first(self.evaluate(encoder))

    def evaluate(self, encoder: Encodes) -> SuiteScores:
        """Score pair by pair."""
        task = PairTask(
            name=self.name,
            pairs=self.pairs,
            dev=self.dev,
            positive=self.positive,
            threshold=self.threshold,
        )
        return _alone(task, encoder, self.pooling)


@dataclass(frozen=True)
class Ranking:
    """How far in front the relevant ones of each query's candidates stand (`RankingTask`)."""

    lists: RankedLists
    metric: str = "map"
    name: str = "ranking"
    pooling: Pooling | None = None

    def __call__(self, encoder: Encodes) -> dict[str, float]:
        return _headline_first(self.evaluate(encoder))

    def evaluate(self, encoder: Encodes) -> SuiteScores:
        """Score query by query."""
        task = RankingTask(name=self.name, lists=self.lists, metric=self.metric)
        return _alone(task, encoder, self.pooling)


@dataclass(frozen=True)
class Retrieval:
    """How far in front the relevant documents of a whole collection stand (`RetrievalTask`)."""

    collection: Collection
    metric: str = "ndcg@10"
    unjudged: Unjudged = "wrong"
    name: str = "retrieval"
    pooling: Pooling | None = None

    def __call__(self, encoder: Encodes) -> dict[str, float]:
        return _headline_first(self.evaluate(encoder))

    def evaluate(self, encoder: Encodes) -> SuiteScores:
        """Score query by query."""
        task = RetrievalTask(
            name=self.name, collection=self.collection, metric=self.metric, unjudged=self.unjudged
        )
        return _alone(task, encoder, self.pooling)


@dataclass(frozen=True)
class Transfer:
    """How much a linear classifier on frozen vectors gets right (`TransferTask`)."""

    train: LabelledSentences
    test: LabelledSentences | None = None
    dev: LabelledSentences | None = None
    name: str = "transfer"
    pooling: Pooling | None = None
    seed: int = 0

    def __call__(self, encoder: Encodes) -> dict[str, float]:
        return _headline_first(self.evaluate(encoder))

    def evaluate(self, encoder: Encodes) -> SuiteScores:
        """Score text by text."""
        task = TransferTask(name=self.name, train=self.train, test=self.test, dev=self.dev, seed=self.seed)
        return _alone(task, encoder, self.pooling)


def _alone(task: Task, encoder: Encodes, pooling: Pooling | None) -> SuiteScores:
    poolings = None if pooling is None else (pooling,)
    return evaluate(encoder, Suite(name=task.name, tasks=(task,)), poolings=poolings)


def _headline_first(scores: SuiteScores) -> dict[str, float]:
    (name,) = scores.tasks
    found: Mapping[str, float] = scores.task(name).metrics
    return {scores.metric: scores.headline, **found}
