from __future__ import annotations

import json
from pathlib import Path

import pytest

from twinset.demo.story import RUN, TEXTS, library_story, own_story, recipe_for
from twinset.demo.tell import facts, facts_own, told, told_own
from twinset.encoder import Encoder
from twinset.errors import RequestError
from twinset.recipes import simcse


def test_the_story_is_what_its_run_gives(tmp_path: Path) -> None:
    story = library_story(tmp_path / "demo", progress=False)
    from twinset.demo.retrieval import found_by

    assert story.before == found_by(Encoder.mini(), story.topics)
    assert story.after == found_by(Encoder.from_pretrained(story.folder / RUN / "model"), story.topics)
    assert story.after.ranks != story.before.ranks
    assert not {topic.asked for topic in story.topics} & set((story.folder / TEXTS).read_text().splitlines())
    text = told(story)
    assert f"{story.before.hits} of 20" in text
    assert f"{story.after.mrr:.3f}" in text
    assert json.loads(json.dumps(facts(story)))["after"]["ranks"] == list(story.after.ranks)


def test_the_readers_texts(tmp_path: Path) -> None:
    texts = tmp_path / "mine.txt"
    texts.write_text("".join(f"line {number} of my notes\n" for number in range(9)), encoding="utf-8")
    story = own_story(texts, tmp_path / "demo", progress=False)
    assert story.texts == 9
    assert [each.text for each in story.looked_at] == [f"line {number} of my notes" for number in (0, 3, 6)]
    assert all(hit.text != each.text for each in story.looked_at for hit in (*each.before, *each.after))
    assert "not that it is" in told_own(story)
    assert json.loads(json.dumps(facts_own(story)))["texts"] == 9


def test_too_few_texts_and_a_folder_in_use(tmp_path: Path) -> None:
    texts = tmp_path / "mine.txt"
    texts.write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(RequestError, match="has 2 different texts"):
        own_story(texts, tmp_path / "demo")
    assert not (tmp_path / "demo").exists()
    with pytest.raises(RequestError, match="not empty"):
        library_story(tmp_path)


def test_little_text_is_gone_over_more_often() -> None:
    assert recipe_for(100_000) == simcse()
    assert recipe_for(80).epochs > simcse().epochs
    assert recipe_for(6).batch_size == 3
