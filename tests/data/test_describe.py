from __future__ import annotations

import numpy as np

from twinset.data import Groups, LabelledPairs, ScoredPairs, Sentences


def test_scored_pairs_in_words() -> None:
    data = ScoredPairs(
        ["a", "a"],
        ["bbb", "c"],
        [1.0, 4.0],
        groups=Groups.of(["x", "y"]),
        roles=("query", "document"),
        notes=("n",),
    )
    assert data.describe().splitlines() == [
        "ScoredPairs: 2 scored pairs",
        "  texts: 3 distinct; characters: median 1, most 3",
        "  roles: query, document",
        "  scores: 1 to 4, mean 2.5",
        "  groups: x 1, y 1",
        "  note: n",
    ]


def test_labels_are_counted_and_nothing_is_fine() -> None:
    data = LabelledPairs(["a", "b"], ["c", "d"], np.array([1, 1]), ("no", "yes"))
    assert "  labels: no 0, yes 2" in data.describe().splitlines()
    assert Sentences([]).describe() == "Sentences: 0 sentences"
