from __future__ import annotations

import pytest

from twinset.baselines.words import Words
from twinset.errors import RequestError


def test_words_are_counted_without_case_and_single_letters() -> None:
    words = Words(["A cat, a CAT.", "the dog_2"])
    assert words.counts.toarray().tolist() == [[2, 0, 0], [0, 1, 1]]  # cat, dog_2, the
    assert words.count(["the cat and the cow"]).toarray().tolist() == [[1, 0, 2]]


@pytest.mark.parametrize("documents", [[], [""], ["a b", "."]])
def test_documents_without_a_word_are_refused(documents: list[str]) -> None:
    with pytest.raises(RequestError, match=f"none of two letters or more in {len(documents)} document"):
        Words(documents)
