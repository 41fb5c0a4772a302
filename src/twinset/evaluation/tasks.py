"""What an encoder can be watched on while it trains and compared on afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from twinset.data.pairs import ScoredPairs
from twinset.evaluation.embedding import Encodes
from twinset.evaluation.evaluate import evaluate
from twinset.evaluation.sts import StsTask
from twinset.evaluation.suite_scores import SuiteScores
from twinset.evaluation.suites import Suite

if TYPE_CHECKING:
    # Not when the program runs: torch is not needed to evaluate a baseline.
    from twinset.encoder.pooling import Pooling  # noqa: TC004


@dataclass(frozen=True)
class Sts:
    """How well cosines follow the scores of pairs.

    Called with an encoder it gives {"spearman": ..., "pearson": ...} over all pairs (from -1 to 1, higher is
    better, the first being the one to choose by). pooling: None for the encoder's own; some papers choose
    checkpoints under another pooling than they report.
    """

    pairs: ScoredPairs
    name: str = "sts"
    pooling: Pooling | None = None

    def __call__(self, encoder: Encodes) -> dict[str, float]:
        scores = self.evaluate(encoder)
        return {"spearman": scores.headline, "pearson": scores.average(metric="pearson")}

    def evaluate(self, encoder: Encodes) -> SuiteScores:
        """Score with subsets and items, as a comparison needs them."""
        suite = Suite(name=self.name, tasks=(StsTask(name=self.name, pairs=self.pairs),))
        return evaluate(encoder, suite, poolings=None if self.pooling is None else (self.pooling,))
