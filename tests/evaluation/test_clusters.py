from __future__ import annotations

from twinset.data import Texts
from twinset.evaluation.clusters import suite_clusters


def test_items_that_share_a_text_are_together_over_all_tasks() -> None:
    pairs = (Texts(["a", "c", "e", "f"]), Texts(["b", "d", "a", "g"]))
    others = (Texts(["d", "x"]), Texts(["y", "z"]))
    alone = (Texts(["z", "q", "f"]),)
    one, two, three = (found.tolist() for found in suite_clusters([pairs, others, alone]))
    # a-b and e-a; c-d and (the second task's) d-y; f-g and (the third's) f; x-z and z; q
    assert one[0] == one[2]
    assert one[1] == two[0]
    assert one[3] == three[2]
    assert two[1] == three[0]
    assert len({*one, *two, *three}) == 5
    assert sorted({*one, *two, *three}) == list(range(5))


def test_shared_through_others() -> None:
    (chain,) = suite_clusters([(Texts(["a", "c", "b", "x"]), Texts(["b", "d", "c", "y"]))])
    assert chain.tolist() == [0, 0, 0, 1]
