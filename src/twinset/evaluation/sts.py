"""Semantic textual similarity: how well cosines of vectors follow people's judgement of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from twinset.data.groups import Groups
from twinset.data.pairs import ScoredPairs
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation.correlations import (
    METRICS,
    PROTOCOLS,
    Correlations,
    Metric,
    StsProtocol,
    correlate,
    json_number,
)
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.items import Correlated
from twinset.evaluation.metrics import pearson, spearman
from twinset.evaluation.predict import predict
from twinset.evaluation.task import Column, Points, TaskKind

_NAMES: dict[str, tuple[Metric, StsProtocol]] = {
    metric if protocol == "all" else f"{metric}_{protocol}": (metric, protocol)
    for metric, protocol in product(METRICS, PROTOCOLS)
}


@dataclass(frozen=True, kw_only=True)
class StsTask:
    """Scored pairs under a name; their subsets are the pairs' groups.

    one_set: published figures take the task as one set, whatever parts it has (STS-B: its genres). The parts
    are then shown, and `mean` and `wmean` equal `all`.
    """

    name: str
    pairs: ScoredPairs
    one_set: bool = False

    def __post_init__(self) -> None:
        if not len(self.pairs):
            raise DataError(f"{self.name}: there is no scored pair to evaluate on")

    @property
    def groups(self) -> Groups:
        """Subset of each pair; pairs without subsets are one, named as the task."""
        return self.pairs.groups or Groups(np.zeros(len(self.pairs), np.int64), (self.name,))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The pairs' two columns."""
        pairs = zip(self.pairs.columns, self.pairs.roles, strict=True)
        return tuple(Column(texts=texts, role=role) for texts, role in pairs)

    @property
    def item_texts(self) -> tuple[Texts, ...]:
        """An item is a pair."""
        return self.pairs.columns

    def score(self, points: Sequence[Points], *, pooling: str, clusters: np.ndarray) -> StsScores:
        """Score cosines against the pairs' scores."""
        return self.scores_of(predict(*points), pooling=pooling, clusters=clusters)

    def scores_of(self, predicted: np.ndarray, *, pooling: str, clusters: np.ndarray) -> StsScores:
        """Scores of predictions (n,) that are known."""
        items = StsItems(groups=self.groups, gold=self.pairs.scores, predicted=predicted)
        mark = fingerprint("sts", self.pairs.columns, (items.gold, items.groups.ids))
        return score(self.name, items, pooling=pooling, one_set=self.one_set, clusters=clusters, mark=mark)


@dataclass(frozen=True, kw_only=True)
class StsItems:
    """The single pairs, item i being pair i of the task: what a paired comparison of encoders resamples.

    gold, predicted (n,) float64; predicted is the cosine, rounded to six decimals.
    """

    groups: Groups
    gold: np.ndarray
    predicted: np.ndarray

    def __len__(self) -> int:
        return len(self.gold)


@dataclass(frozen=True, kw_only=True)
class StsScores:
    """What an encoder scores on one task under one pooling. Correlations run from -1 to 1.

    Metrics by name: `spearman` and `pearson` under `all`; `spearman_mean`, `pearson_wmean` ... .
    """

    task: str
    pooling: str
    spearman: Correlations
    pearson: Correlations
    pairs: StsItems
    one_set: bool = False
    clusters: np.ndarray
    fingerprint: str = ""
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> TaskKind:
        """Scored pairs."""
        return "sts"

    @property
    def metric(self) -> str:
        """The headline."""
        return "spearman"

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def value(self) -> float:
        """Spearman's correlation over all pairs."""
        return self.spearman.all

    @property
    def metrics(self) -> Mapping[str, float]:
        """Both correlations under every protocol."""
        return {
            name: self.correlations(metric).under(protocol) for name, (metric, protocol) in _NAMES.items()
        }

    def correlations(self, metric: Metric) -> Correlations:
        """Give one of the two correlations by its name."""
        return self.spearman if metric == "spearman" else self.pearson

    def items(self, metric: str | None = None) -> Correlated:
        """Give the pairs as a comparison resamples them; their subsets where the protocol is of subsets."""
        name = metric or self.metric
        if name not in _NAMES:
            raise RequestError(f"{self.task}: no metric {name!r}; there are {', '.join(_NAMES)}")
        kind, protocol = _NAMES[name]
        by_subset = protocol != "all" and not self.one_set
        return Correlated(
            metric=kind,
            gold=self.pairs.gold,
            predicted=self.pairs.predicted,
            subsets=self.pairs.groups.ids if by_subset else None,
            weighted=by_subset and protocol == "wmean",
        )

    def to_json(self) -> dict[str, object]:
        """Give the scores for a JSON file, without the items."""
        return {
            "pairs": len(self.pairs),
            "spearman": self.spearman.to_json(),
            "pearson": self.pearson.to_json(),
        }

    def facts(self) -> dict[str, object]:
        """Subsets and gold scores."""
        return {
            "one_set": self.one_set,
            "subsets": list(self.pairs.groups.names),
            "subset": self.pairs.groups.ids.tolist(),
            "gold": self.pairs.gold.tolist(),
        }

    def found(self) -> object:
        """The cosines."""
        return [json_number(value) for value in self.pairs.predicted]


def score(
    task: str,
    items: StsItems,
    *,
    pooling: str,
    one_set: bool = False,
    clusters: np.ndarray | None = None,
    mark: str = "",
) -> StsScores:
    """Score predictions against gold under every protocol. clusters, mark: as in `TaskScores`."""
    return StsScores(
        task=task,
        pooling=pooling,
        spearman=correlate(spearman, items.gold, items.predicted, items.groups, one_set=one_set),
        pearson=correlate(pearson, items.gold, items.predicted, items.groups, one_set=one_set),
        pairs=items,
        one_set=one_set,
        clusters=np.arange(len(items)) if clusters is None else clusters,
        fingerprint=mark,
    )
