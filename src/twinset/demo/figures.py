"""What everybody scored: the encoder before and after, the rankings by words, and both together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from twinset.baselines import BM25, TfIdf
from twinset.demo.interval import interval
from twinset.demo.judge import Cosines, judged
from twinset.demo.questions import Kind, Questions
from twinset.demo.together import best_weight, together

Encoders = Literal["raw", "trained"]
Words = Literal["tfidf", "bm25"]
System = Literal["raw", "trained", "tfidf", "bm25", "with_raw", "with_trained"]
Alone = Mapping[System, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What the dev package decided: the ranking by words (the better one there), and each encoder's weight
    beside it."""

    words: Words
    weights: Mapping[Encoders, Mapping[Kind, float]]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Scores of one set of questions: for each system (q,) from 0 to 1."""

    questions: Questions
    scores: Mapping[System, np.ndarray]

    def mean(self, system: System) -> float:
        """MRR or MAP x 100."""
        return 100 * float(self.scores[system].mean())


@dataclass(frozen=True, kw_only=True)
class Figures:
    """One figure for each set of questions to the held-out packages, and to the dev package."""

    held_out: tuple[Figure, ...]
    dev: tuple[Figure, ...]
    choice: Choice

    def of(self, kind: Kind) -> tuple[Figure, ...]:
        """The held-out packages' figures of one kind."""
        return tuple(figure for figure in self.held_out if figure.questions.kind == kind)

    def macro(self, kind: Kind, system: System) -> float:
        """The mean over the held-out packages, each counting alike."""
        return float(np.mean([figure.mean(system) for figure in self.of(kind)]))

    def gain(self, kind: Kind, system: System, over: System) -> tuple[float, float, float]:
        """How much better in points, over the held-out packages, and between which bounds (95%)."""
        found = self.of(kind)
        differences = [100 * (figure.scores[system] - figure.scores[over]) for figure in found]
        low, high = interval(differences, [figure.questions.files for figure in found])
        return self.macro(kind, system) - self.macro(kind, over), low, high


def figures(
    dev: Sequence[Questions], held_out: Sequence[Questions], raw: Cosines, trained: Cosines
) -> Figures:
    """Choose on the dev package, one set of questions of each kind; then score everything."""
    known = [_alone(each, raw, trained) for each in dev]
    chosen = _chosen(dev, known)
    return Figures(
        dev=tuple(_figure(each, alone, chosen) for each, alone in zip(dev, known, strict=True)),
        held_out=tuple(_figure(each, _alone(each, raw, trained), chosen) for each in held_out),
        choice=chosen,
    )


def _alone(questions: Questions, raw: Cosines, trained: Cosines) -> Alone:
    return {
        "raw": raw.scores(questions),
        "trained": trained.scores(questions),
        "tfidf": TfIdf(questions.candidates, sublinear=True).scores(questions.asked),
        "bm25": BM25(questions.candidates).scores(questions.asked),
    }


def _chosen(dev: Sequence[Questions], known: Sequence[Alone]) -> Choice:
    sets = list(zip(dev, known, strict=True))

    def mean(words: Words) -> float:
        return float(np.mean([judged(alone[words], each).mean() for each, alone in sets]))

    def weights(encoder: Encoders) -> dict[Kind, float]:
        return {each.kind: best_weight(alone[encoder], alone[words], each) for each, alone in sets}

    words: Words = "bm25" if mean("bm25") > mean("tfidf") else "tfidf"
    return Choice(words=words, weights={"raw": weights("raw"), "trained": weights("trained")})


def _figure(questions: Questions, alone: Alone, chosen: Choice) -> Figure:
    def both(encoder: Encoders) -> np.ndarray:
        weight = chosen.weights[encoder][questions.kind]
        return together(alone[encoder], alone[chosen.words], questions, weight)

    rankings: Alone = {**alone, "with_raw": both("raw"), "with_trained": both("trained")}
    return Figure(
        questions=questions,
        scores={system: judged(scores, questions) for system, scores in rankings.items()},
    )
