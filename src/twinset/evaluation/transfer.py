"""Transfer: how well a linear classifier on the encoder's vectors, the encoder left as it is, sorts texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twinset.data.sentences import LabelledSentences
from twinset.data.texts import Texts
from twinset.errors import DataError, RequestError
from twinset.evaluation.fingerprint import fingerprint
from twinset.evaluation.probe import STRENGTHS, best_strength, fit_predict, folds
from twinset.evaluation.task import Column, Points
from twinset.evaluation.transfer_scores import TransferScores


@dataclass(frozen=True, kw_only=True)
class TransferTask:
    """Labelled texts under a name; logistic regression on their vectors, with accuracy as the headline.

    test: what is scored (None: `train` itself, in `folds` parts, each classified by what the others teach).
    dev: what the strength C is chosen on; without it, `inner` parts of the training texts. seed: which text
    comes into which part. Conneau and Kiela 2018 (SentEval), with an inner choice that is cheaper than
    theirs.
    """

    name: str
    train: LabelledSentences
    test: LabelledSentences | None = None
    dev: LabelledSentences | None = None
    folds: int = 10
    inner: int = 3
    strengths: tuple[float, ...] = STRENGTHS
    seed: int = 0

    def __post_init__(self) -> None:
        counts = np.bincount(self.train.labels)
        if (counts > 0).sum() < 2:
            raise DataError(f"{self.name}: there is one class only; a classifier needs two")
        if min(self.folds, self.inner) < 2 or max(self.folds, self.inner) > len(self.train):
            raise RequestError(
                f"{self.name}: {self.folds} folds, {self.inner} inner ones for {len(self.train)} texts; at "
                "least 2 are needed, and no more than texts"
            )
        if not self.strengths or min(self.strengths) <= 0:
            raise RequestError(f"{self.name}: strengths {self.strengths} must be numbers above 0")
        for part in (self.test, self.dev):
            if part is not None and (part.label_names != self.train.label_names or not len(part)):
                raise DataError(
                    f"{self.name}: the classes of one part are {', '.join(part.label_names) or 'none'}, of "
                    f"the training texts {', '.join(self.train.label_names)}; read both with the same labels"
                )

    @property
    def scored(self) -> LabelledSentences:
        """The texts that are items."""
        return self.train if self.test is None else self.test

    @property
    def columns(self) -> tuple[Column, ...]:
        """Training texts, then test and dev texts where there are any."""
        parts = [part for part in (self.train, self.test, self.dev) if part is not None]
        return tuple(Column(texts=part.texts, role=part.roles[0]) for part in parts)

    @property
    def item_texts(self) -> tuple[Texts, ...]:
        """An item is a text that is scored."""
        return (self.scored.texts,)

    def score(self, points: Sequence[Points], *, pooling: str, clusters: np.ndarray) -> TransferScores:
        """Learn and classify."""
        parts = [_numbers(some, self.name) for some in points]
        if self.test is None:
            predicted, strengths = self._by_folds(parts[0], parts[1] if self.dev is not None else None)
        else:
            strength = self._strength(parts[0], self.train.labels, parts[2] if self.dev is not None else None)
            predicted = fit_predict(parts[0], self.train.labels, parts[1], strength)
            strengths = (strength,)
        scored = self.scored
        return TransferScores(
            task=self.name,
            pooling=pooling,
            labels=scored.labels,
            predicted=predicted,
            label_names=scored.label_names,
            strengths=strengths,
            clusters=clusters,
            fingerprint=fingerprint("transfer", (scored.texts,), (scored.labels,)),
        )

    def _by_folds(self, vectors: np.ndarray, dev: np.ndarray | None) -> tuple[np.ndarray, tuple[float, ...]]:
        labels, strengths = self.train.labels, list[float]()
        predicted = np.empty(len(labels), dtype=np.int64)
        for known, asked in folds(labels, self.folds, self.seed):
            strengths.append(self._strength(vectors[known], labels[known], dev))
            predicted[asked] = fit_predict(vectors[known], labels[known], vectors[asked], strengths[-1])
        return predicted, tuple(strengths)

    def _strength(self, vectors: np.ndarray, labels: np.ndarray, dev: np.ndarray | None) -> float:
        if self.dev is None or dev is None:
            parts = folds(labels, self.inner, self.seed)
            return best_strength(vectors, labels, parts, self.strengths)
        rows = np.arange(len(vectors) + len(dev))
        parts = [(rows[: len(vectors)], rows[len(vectors) :])]
        together = np.concatenate([vectors, dev]), np.concatenate([labels, self.dev.labels])
        return best_strength(*together, parts, self.strengths)


def _numbers(points: Points, task: str) -> np.ndarray:
    vectors = points.rows(slice(None))
    if not np.isfinite(vectors).all():
        raise RequestError(f"{task}: some vectors are no numbers, so that nothing can be learned from them")
    return vectors.astype(np.float64)
