"""Small data of every kind whose vectors are known (`KnownVectors`), and an encoder with roles."""

from __future__ import annotations

import numpy as np

from tests.evaluation.known_vectors import KnownVectors
from twinset.data import Collection, LabelledPairs, LabelledSentences, RankedLists, Texts
from twinset.evaluation import PairTask, RankingTask, RetrievalTask, TransferTask


class KnownRoles(KnownVectors):
    """Queries are turned by 10 degrees; remembers what it was asked in which role."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def encode(self, texts: Texts, /) -> np.ndarray:
        self.asked.append(("", tuple(texts)))
        return super().encode(texts)

    def encode_query(self, texts: Texts, /) -> np.ndarray:
        self.asked.append(("query", tuple(texts)))
        return KnownVectors.encode(self, Texts([f"{float(text) + 10}" for text in texts]))

    def encode_document(self, texts: Texts, /) -> np.ndarray:
        self.asked.append(("document", tuple(texts)))
        return KnownVectors.encode(self, texts)


def labelled(angles: tuple[float, ...], labels: tuple[int, ...], first: str = "0") -> LabelledPairs:
    """Pairs (first, angle)."""
    return LabelledPairs(
        Texts([first] * len(angles)), Texts([f"{angle:g}" for angle in angles]), np.array(labels), ("0", "1")
    )


# Cosines of 10, 30, 50, 70 degrees fall; on the dev pairs the line is between 40 and 60 degrees for both
# metrics, so that of the pairs 10, 30 and 50 (0.642788) lie on one side of it or the other.
PAIRS = labelled((10, 30, 50, 70), (1, 0, 1, 0))
DEV = labelled((5, 40, 60, 80), (1, 1, 0, 0), first="0|dev")
PAIR_TASK = PairTask(name="paraphrases", pairs=PAIRS, dev=DEV)

# Query 0: candidates at 10 (wrong), 20 (relevance 2), 30 (relevance 1). Query 100: one at 90 (right), 160
# (wrong). Query 50 has no right candidate.
LISTS = RankedLists(
    Texts(["0", "50", "100"]),
    Texts(["10", "90", "20", "60", "160", "30"]),
    np.array([0, 2, 0, 1, 2, 0]),
    np.array([0.0, 1.0, 2.0, 0.0, 0.0, 1.0]),
)
RANKING_TASK = RankingTask(name="answers", lists=LISTS)

# For query 0 the documents stand as 5, 10, 20, 40, 90; 10 and 40 are right, 20 is judged wrong.
# For query 80: 90, 40 ...; 90 is right. Query 30 has no judgement.
COLLECTION = Collection(
    queries=Texts(["0", "30", "80"]),
    documents=Texts(["40", "5", "90", "20", "10"]),
    query_of=np.array([0, 0, 0, 2]),
    document_of=np.array([0, 4, 3, 2]),
    relevance=np.array([1.0, 2.0, 0.0, 1.0]),
    query_ids=Texts(["q0", "q30", "q80"]),
    document_ids=Texts(["d40", "d5", "d90", "d20", "d10"]),
)
RETRIEVAL_TASK = RetrievalTask(name="search", collection=COLLECTION)


def sides(count: int, *, seed: int = 0, wrong: int = 0) -> LabelledSentences:
    """Texts left (0 to 60 degrees) and right (120 to 180); the first `wrong` have the other's class."""
    generator = np.random.default_rng(seed)
    labels = np.arange(count) % 2
    texts = [f"{120 * label + 60 * generator.random():.3f}|{seed}" for label in labels]
    told = np.where(np.arange(count) < wrong, 1 - labels, labels)
    return LabelledSentences(Texts(texts), told, ("left", "right"))


TRANSFER_TASK = TransferTask(name="sides", train=sides(40), test=sides(10, seed=1, wrong=2), inner=2)
