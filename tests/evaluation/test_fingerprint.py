from __future__ import annotations

import numpy as np

from twinset.data import Texts
from twinset.evaluation.fingerprint import LENGTH, fingerprint

GOLD = np.array([1.0, 2.0])


def test_it_is_equal_where_texts_and_judgements_are() -> None:
    mark = fingerprint("sts", (Texts(["a", "b"]), Texts(["c", "d"])), (GOLD,))
    assert len(mark) == LENGTH
    assert fingerprint("sts", (["a", "b"], ["c", "d"]), (GOLD.copy(),)) == mark
    assert fingerprint("sts", (["a", "b"], ["c", "d"]), (np.array([1, 2]),)) == mark
    others = [
        fingerprint("pairs", (["a", "b"], ["c", "d"]), (GOLD,)),
        fingerprint("sts", (["a", "b"], ["c", "e"]), (GOLD,)),
        fingerprint("sts", (["b", "a"], ["c", "d"]), (GOLD,)),
        fingerprint("sts", (["ab", ""], ["c", "d"]), (GOLD,)),
        fingerprint("sts", (["a", "b", "c", "d"],), (GOLD,)),
        fingerprint("sts", (["a", "b"], ["c", "d"]), (GOLD[::-1],)),
        fingerprint("sts", (["a", "b"], ["c", "d"]), (GOLD[:1], GOLD[1:])),
        fingerprint("sts", (["a", "b"], ["c", "d"]), ()),
    ]
    assert len({mark, *others}) == 1 + len(others)


def test_it_is_the_same_in_every_process() -> None:
    assert fingerprint("sts", (["a"],), (GOLD,)) == "c25603e4d3cec3db"
