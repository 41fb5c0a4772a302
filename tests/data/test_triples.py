from __future__ import annotations

from twinset.data import Triples


def test_three_columns_in_order() -> None:
    data = Triples(["premise"], ["entailment"], ["contradiction"])
    assert [column[0] for column in data.columns] == ["premise", "entailment", "contradiction"]
    assert (data.labels, data.scores, data.roles) == (None, None, (None, None, None))
