from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from twinset.data import read_pairs
from twinset.demo.judge import Cosines
from twinset.demo.manuals import Manuals, learn_manuals
from twinset.demo.packages import Library, Package
from twinset.demo.pairs import pairs
from twinset.demo.recipe import manuals_recipe
from twinset.demo.stages import Stages
from twinset.encoder import Encoder
from twinset.errors import RequestError
from twinset.recipes import read_run_file


def test_the_figures_are_those_of_the_encoders_before_and_after(story: Manuals) -> None:
    model = Encoder.from_pretrained(story.folder / "run" / "model")
    differs = False
    for system, encoder in (("raw", Encoder.mini()), ("trained", model)):
        for figure in (*story.figures.dev, *story.figures.held_out):
            found = Cosines(encoder, [figure.questions]).scores(figure.questions)
            best = found.argmax(axis=1)
            if figure.questions.kind != "see_also":
                right = [row in rows for row, rows in zip(best, figure.questions.right, strict=True)]
                assert [score == 1 for score in figure.scores[system]] == right
        differs |= system == "trained" and any(
            not np.array_equal(figure.scores["raw"], figure.scores["trained"])
            for figure in story.figures.held_out
        )
    assert differs


def test_every_kind_is_asked_of_every_held_out_package(story: Manuals) -> None:
    assert [(each.questions.package, each.questions.kind) for each in story.figures.held_out] == [
        (package, kind)
        for package in ("bk_asked", "bk_other")
        for kind in ("description", "name", "see_also")
    ]
    assert [each.questions.package for each in story.figures.dev] == ["bk_dev"] * 3
    assert [each.package for each in story.examples] == ["bk_asked", "bk_other"]


def test_nothing_of_what_is_asked_was_learned(story: Manuals) -> None:
    learned = (story.folder / "pairs.jsonl").read_text(encoding="utf-8")
    for figure in (*story.figures.dev, *story.figures.held_out):
        if figure.questions.kind == "description":
            assert not any(text in learned for text in figure.questions.asked)
            assert not any(text in learned for text in figure.questions.candidates)


def test_what_is_left_on_the_disk(story: Manuals) -> None:
    found = read_pairs(story.folder / "pairs.jsonl", columns=("first", "second"))
    assert list(zip(*found.columns, strict=True)) == pairs(story.sides.training)
    assert len(found) == story.pairs == 72
    lines = (story.folder / "corpus.txt").read_text(encoding="utf-8").splitlines()
    assert lines == [each.text for entries in story.sides.held_out.values() for each in entries]
    written = read_run_file(story.folder / "run" / "run.toml")
    assert written.recipe == story.recipe
    assert Path(written.data.train) == (story.folder / "pairs.jsonl").resolve()
    assert story.updates == 4


def test_it_is_told_as_it_goes(story: Manuals, said: list[str]) -> None:
    words = "\n".join(said)
    assert "1 packages to learn from" in words
    assert "24 docstrings give 72 pairs to learn from; 16 others are held out" in words
    assert f"{sum(len(each.questions) for each in story.figures.held_out)} questions" in words
    assert list(story.seconds) == [
        "reading",
        "asking the raw encoder",
        "training",
        "asking the trained encoder",
        "comparing",
        "total",
    ]
    *stages, total = story.seconds.values()
    assert sum(stages) <= total < 2 * sum(stages) + 1


def test_a_missing_package_is_told_before_anything_is_done(library: Library, tmp_path: Path) -> None:
    wanting = replace(library, held_out=(*library.held_out, Package(name="bk_none")))
    said: list[str] = []
    with pytest.raises(RequestError, match="bk_none, which is not installed: pip install bk_none"):
        learn_manuals(
            tmp_path / "demo", Stages(said.append, bars=False), library=wanting, recipe=manuals_recipe()
        )
    assert not (tmp_path / "demo").exists()
    assert said == []


def test_a_package_that_gives_no_question_is_told(library: Library, tmp_path: Path) -> None:
    for file in library.dev.files():
        file.write_text('def f():\n    """Only a summary."""\n', encoding="utf-8")
    short = replace(manuals_recipe(), steps=2, batch_size=4)
    with pytest.raises(RequestError, match=r"asks about bk_dev, .* no question of kind 'description'"):
        learn_manuals(tmp_path / "demo", Stages([].append, bars=False), library=library, recipe=short)
