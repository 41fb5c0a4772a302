from __future__ import annotations

from pathlib import Path

import pytest

from twinset.demo.nearest import Searched
from twinset.demo.own import OwnText, learn_own, recipe_for
from twinset.encoder import Encoder
from twinset.errors import RequestError
from twinset.recipes import simcse


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> OwnText:
    place = tmp_path_factory.mktemp("own")
    texts = place / "mine.txt"
    texts.write_text("".join(f"line {number} of my notes\n" for number in range(9)), encoding="utf-8")
    return learn_own(texts, place / "demo", progress=False)


def test_a_few_texts_over_the_whole_file_are_looked_at(own: OwnText) -> None:
    assert own.texts == 9
    assert [each.text for each in own.looked_at] == [f"line {number} of my notes" for number in (0, 3, 6)]
    assert all(hit.text != each.text for each in own.looked_at for hit in (*each.before, *each.after))
    assert all(len(each.before) == len(each.after) == 3 for each in own.looked_at)


def test_the_neighbours_are_those_of_the_encoders_before_and_after(own: OwnText) -> None:
    texts = [f"line {number} of my notes" for number in range(9)]
    after = Encoder.from_pretrained(own.folder / "run" / "model")
    for encoder, side in ((Encoder.mini(), "before"), (after, "after")):
        searched = Searched(encoder, texts)
        for each in own.looked_at:
            hits = [hit.row for hit in searched.nearest(each.text, 4)][1:]
            assert [hit.row for hit in getattr(each, side)] == hits


def test_too_few_texts_and_a_folder_in_use(tmp_path: Path) -> None:
    texts = tmp_path / "mine.txt"
    texts.write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(RequestError, match="has 2 different texts; the demo wants 6"):
        learn_own(texts, tmp_path / "demo")
    assert not (tmp_path / "demo").exists()
    texts.write_text("".join(f"text {number}\n" for number in range(9)), encoding="utf-8")
    with pytest.raises(RequestError, match="not empty"):
        learn_own(texts, tmp_path)


def test_little_text_is_gone_over_more_often() -> None:
    assert recipe_for(100_000) == simcse()
    assert recipe_for(80).epochs > simcse().epochs
    assert recipe_for(6).batch_size == 3
