"""How well a ranking answers questions: one number a question, from 0 to 1.

Where one answer is meant, 1 / rank of the first right one (its mean is the MRR); for "See Also" lists, the
average precision (its mean is the MAP). A ranking is a matrix of scores (q, n), the best highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from twinset.demo.questions import Questions
from twinset.encoder import Encoder
from twinset.evaluation.metrics import average_precision, reciprocal_rank


def judged(scores: np.ndarray, questions: Questions) -> np.ndarray:
    """(q,) float64 of scores (q, n). The candidate that is the question itself does not count."""
    metric = average_precision if questions.kind == "see_also" else reciprocal_rank
    found = np.empty(len(questions))
    for row, (right, own) in enumerate(zip(questions.right, questions.own, strict=True)):
        relevant = np.zeros(len(questions.candidates), dtype=bool)
        relevant[list(right)] = True
        others = np.arange(len(relevant)) != own
        found[row] = metric(scores[row, others], relevant[others])
    return found


@final
class Cosines:
    """An encoder's ranking of several sets of questions. Every distinct text is encoded once."""

    def __init__(self, encoder: Encoder, sets: Sequence[Questions], *, progress: bool = False) -> None:
        texts = list(dict.fromkeys(text for each in sets for text in (*each.asked, *each.candidates)))
        self._rows = {text: row for row, text in enumerate(texts)}
        self._vectors = encoder.encode(texts, normalize=True, progress=progress)

    def scores(self, questions: Questions) -> np.ndarray:
        """(q, n)."""
        return self._of(questions.asked) @ self._of(questions.candidates).T

    def _of(self, texts: Sequence[str]) -> np.ndarray:
        return self._vectors[[self._rows[text] for text in texts]]
