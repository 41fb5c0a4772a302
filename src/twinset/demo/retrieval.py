"""How well new questions find the known ones that ask for the same thing.

hits at 1 = share of questions whose nearest known question is a right one
MRR       = mean over the questions of 1 / rank of the first right one
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from twinset.demo.library import Topic
from twinset.demo.nearest import Searched
from twinset.encoder import Encoder


@dataclass(frozen=True, kw_only=True)
class Found:
    """For each topic's question: the rank of the first right answer, and the text that came first."""

    ranks: tuple[int, ...]
    nearest: tuple[str, ...]

    @property
    def hits(self) -> int:
        """Questions whose first answer is right."""
        return sum(rank == 1 for rank in self.ranks)

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank."""
        return sum(1 / rank for rank in self.ranks) / len(self.ranks)


def found_by(encoder: Encoder, topics: Sequence[Topic]) -> Found:
    """Ask every topic's question of all known questions."""
    corpus = [text for topic in topics for text in topic.known]
    owner = [number for number, topic in enumerate(topics) for _ in topic.known]
    searched = Searched(encoder, corpus)
    ranks: list[int] = []
    nearest: list[str] = []
    for number, topic in enumerate(topics):
        rows = searched.ranked(topic.asked)
        ranks.append(next(place for place, row in enumerate(rows, start=1) if owner[int(row)] == number))
        nearest.append(corpus[int(rows[0])])
    return Found(ranks=tuple(ranks), nearest=tuple(nearest))


def chance(better: int, worse: int) -> float:
    """Sign test, two-sided: how often a coin gives a split at least as uneven.

    p = min(1, 2 sum_{k >= max(b, w)} C(b+w, k) / 2^(b+w))

    >>> round(chance(5, 0), 4)
    0.0625
    """
    total = better + worse
    tail = sum(comb(total, k) for k in range(max(better, worse), total + 1))
    return min(1.0, 2 * tail / 2**total)
