from __future__ import annotations

from twinset.demo.library import topics


def test_the_corpus_is_small_and_its_questions_are_kept_out() -> None:
    told = topics()
    known = [text for topic in told for text in topic.known]
    assert 60 <= len(known) <= 100
    assert 12 <= len(told) <= 20
    assert len(set(known)) == len(known)
    assert not {topic.asked for topic in told} & set(known)
    assert all(len(topic.known) >= 2 for topic in told)
