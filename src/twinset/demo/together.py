"""Two rankings together: their scores, made comparable question by question, and added.

z(s)_j = (s_j - mean s) / sd s        over the question's candidates; 0 where all are equal
score  = w z(encoder) + (1 - w) z(words)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinset.demo.judge import judged
from twinset.demo.questions import Questions

WEIGHTS = tuple(round(step / 20, 2) for step in range(21))


def standardised(scores: np.ndarray, own: Sequence[int]) -> np.ndarray:
    """(q, n), mean 0 and standard deviation 1 in every row; own (q,): the candidate that does not count."""
    counted = np.arange(scores.shape[1]) != np.asarray(own)[:, None]
    values = np.where(counted, scores, np.nan).astype(np.float64)
    deviations = values - np.nanmean(values, axis=1, keepdims=True)
    spread = np.nanstd(values, axis=1, keepdims=True)
    # By the spread's share of the largest value: equal scores may differ in their last digit.
    level = np.nanmax(np.abs(values), axis=1, keepdims=True)
    varies = spread > 1e-9 * np.maximum(level, 1e-300)
    scaled = np.divide(deviations, spread, out=np.zeros_like(values), where=varies)
    return np.where(counted, scaled, 0.0)


def together(encoder: np.ndarray, words: np.ndarray, questions: Questions, weight: float) -> np.ndarray:
    """(q, n), with so much weight on the encoder."""
    first, second = (standardised(scores, questions.own) for scores in (encoder, words))
    return weight * first + (1 - weight) * second


def best_weight(encoder: np.ndarray, words: np.ndarray, questions: Questions) -> float:
    """The weight of `WEIGHTS` with the highest mean over these questions; of equals, the smallest."""
    means = [judged(together(encoder, words, questions, weight), questions).mean() for weight in WEIGHTS]
    return WEIGHTS[int(np.argmax(means))]
